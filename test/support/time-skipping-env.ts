import { Connection } from '@temporalio/client';
import {
  type InternalConnectionOptions,
  InternalConnectionOptionsSymbol,
} from '@temporalio/client/lib/connection.js';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Runtime } from '@temporalio/worker';
import { connectWorker, embeddedTarget } from '../../src/temporal/connection/connection.js';
import { startTestServer, type TestServer } from '../../src/temporal/server/test-server.js';
import { assertNoAbandonedHandlers } from './engine-log.js';

/** Over a server of our own start: the SDK's start gives it 5 s, which a busy machine may take. */
export class TimeSkippingEnv extends TestWorkflowEnvironment {
  private stop: TestServer['stop'] = async () => {};

  /** @param binary of the time-skipping server */
  static async start(binary: string): Promise<TestWorkflowEnvironment> {
    const { address, stop } = await startTestServer(binary);
    const options: InternalConnectionOptions = {
      address,
      tls: false,
      [InternalConnectionOptionsSymbol]: { supportsTestService: true },
    };
    const target = embeddedTarget(address);
    const env = new TimeSkippingEnv(
      Runtime.instance(),
      { server: { type: 'existing' }, client: {}, plugins: [] } as never,
      true,
      'existing',
      await Connection.connect(options),
      await connectWorker(target),
      target.namespace,
      address,
    );
    env.stop = stop;
    return env;
  }

  override async teardown(): Promise<void> {
    await super.teardown();
    await this.stop();
    assertNoAbandonedHandlers();
  }
}
