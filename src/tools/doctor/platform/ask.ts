import type { IncomingHttpHeaders } from 'node:http';
import { Pool } from 'undici';
import { baseAddress } from '../../../platform/client/base-address.js';
import { exchange } from '../../../platform/client/exchange.js';
import { wireRequest } from '../../../platform/client/request.js';
import type { OperationName, Operations, WireProfile } from '../../../platform/profile.js';

/** An answer as received; `cut`: why there is no whole answer. */
export type Received =
  | { cut: string }
  | {
      cut?: never;
      status: number;
      headers: IncomingHttpHeaders;
      body: Buffer;
      sentAt: number;
      answered: number;
    };
export type Answer = Exclude<Received, { cut: string }>;

/** The operations that change nothing: the doctor knows no other. */
export type ReadName = {
  [Name in OperationName]: Name extends `${'list' | 'get'}${string}` ? Name : never;
}[OperationName];

export interface Asking {
  params?: Record<string, number>;
  query?: Record<string, unknown>;
  key?: string;
}

export interface Platform {
  profile: WireProfile;
  /** Sends one GET as the wire profile writes it; never throws. */
  read(name: ReadName, asking: Asking): Promise<Received>;
  close(): Promise<void>;
}

const limits = { deadlineMs: 15_000, maxBytes: 32 * 1024 * 1024, signal: undefined };

/**
 * Sends reads to the platform and returns the raw answers: the checks compare them with the wire profile.
 * @throws Error when the base address cannot be used
 */
export function openPlatform(baseUrl: string, profile: WireProfile): Platform {
  const { origin, prefix } = baseAddress(baseUrl);
  const pool = new Pool(origin, {
    connections: 1,
    connect: { timeout: 5_000 },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    profile,
    async read(name, { params = {}, query = {}, key }) {
      const operation = profile.operations[name] as Operations['getCar'];
      if (operation.method !== 'GET')
        return { cut: `the profile reads by ${operation.method}, which is not tried` };
      let target: string;
      try {
        ({ target } = wireRequest(name, operation, { params, query } as never));
      } catch {
        return { cut: 'the profile cannot write the request' };
      }
      const headers = {
        accept: 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      };
      const sentAt = Date.now();
      const received = await exchange(pool, { method: 'GET', path: prefix + target, headers }, limits);
      if (received.kind === 'unanswered') return { cut: received.sent ? received.cut : 'unreachable' };
      if (received.cut !== undefined) return { cut: received.cut };
      const { status, headers: headersReceived, body } = received;
      return { status, headers: headersReceived, body, sentAt, answered: Date.now() };
    },
    close: () => pool.close(),
  };
}
