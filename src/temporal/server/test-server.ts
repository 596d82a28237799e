import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import {
  type InternalConnectionOptions,
  InternalConnectionOptionsSymbol,
} from '@temporalio/client/lib/connection.js';
import { childEnvironment } from '../../store/files/child-environment.js';
import { freePort } from './ports.js';

type TestService = NonNullable<Connection['testService']>;

export interface TestServer {
  address: string;
  connection: Connection;
  /** The server's current time. */
  time: TestService;
  stop(): Promise<void>;
}

/** The SDK's own limit is 5 s, which is too short on a busy machine. */
const startsWithinMs = 60_000;

/**
 * Starts the time-skipping test server on a free port. Its time runs at real speed. It ends with this process.
 * @param how `detached`: a terminal's Ctrl-C reaches this process alone, which ends the server itself once nothing needs it
 */
export async function startTestServer(binary: string, { detached = false } = {}): Promise<TestServer> {
  const port = await freePort();
  const env = childEnvironment('run');
  const child = spawn(binary, [String(port)], { stdio: 'ignore', env, detached });
  const kill = () => child.kill();
  process.once('exit', kill);
  const address = `127.0.0.1:${port}`;
  try {
    const connection = await connect(address, child);
    const { testService: time } = connection;
    if (time === undefined) throw new Error('the connection has no test service');
    const stop = async () => {
      process.off('exit', kill);
      await connection.close();
      await end(child);
    };
    return { address, connection, time, stop };
  } catch (error) {
    await end(child);
    throw error;
  }
}

async function connect(address: string, child: ChildProcess): Promise<Connection> {
  const options: InternalConnectionOptions = {
    address,
    tls: false,
    connectTimeout: '5s',
    [InternalConnectionOptionsSymbol]: { supportsTestService: true },
  };
  const until = performance.now() + startsWithinMs;
  for (;;) {
    try {
      return await Connection.connect(options);
    } catch (error) {
      if (hasEnded(child)) throw new Error('the time-skipping server ended by itself', { cause: error });
      if (performance.now() > until) throw error;
      await pause(100);
    }
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return;
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}
