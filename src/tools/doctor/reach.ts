import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Area, createCheck, type Finding, type GoLive } from './finding.js';

const withinMs = 5_000;
const day = 86_400_000;
const renewWithinDays = 21;

/** What an address is for, as its checks name it. */
export interface Reached {
  area: Area;
  /** Such as `FORWARD_URL`. */
  name: string;
  goLive?: GoLive;
}

/** True: requests may follow. */
type Open = boolean;

/**
 * Checks whether an http(s) address can be reached: its name, its port, and for https its certificate. Sends nothing
 * but the TLS handshake.
 * @returns whether it can be reached
 */
export async function* reach(
  address: string,
  { area, name, goLive }: Reached,
): AsyncGenerator<Finding, Open> {
  const { hostname, port, protocol } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const number = Number(port || (protocol === 'https:' ? 443 : 80));
  const named = createCheck(area, `${name}: name`);
  const found = isIP(host) ? [{ address: host }] : await lookup(host, { all: true }).catch(codeOf);
  if (typeof found === 'string') {
    yield named.fail(`${host} is not found (${found})`, {
      todo: `check the host in ${name}, and the DNS of this machine`,
    });
    return false;
  }
  if (!isIP(host)) yield named.ok(`${host} is ${found.map(({ address }) => address).join(', ')}`);
  const connection = createCheck(area, `${name}: connection`, goLive && { goLive });
  const opened = await openPort(host, number);
  if (typeof opened === 'string') {
    yield connection.fail(`port ${number} of ${host} does not open (${opened})`, {
      todo: 'open the way there in both firewalls: from this machine outwards, and at the other end for the address that this machine is seen under',
    });
    return false;
  }
  yield connection.ok(`port ${number} of ${host} opens, from ${opened.from} as this machine sees itself`);
  if (protocol !== 'https:') {
    const plain = createCheck(area, `${name}: TLS`);
    yield isLocal(host)
      ? plain.skip('http, on this machine')
      : plain.warn('http: keys, secrets and personal data travel in plain text', {
          todo: 'use an https address',
        });
    return true;
  }
  return yield* checkTls({ area, name }, host, number);
}

async function* checkTls({ area, name }: Reached, host: string, port: number): AsyncGenerator<Finding, Open> {
  const check = createCheck(area, `${name}: TLS`);
  const seen = await greet(host, port);
  if (typeof seen === 'string') {
    yield check.fail(`port ${port} of ${host} does not speak TLS (${seen})`, {
      todo: `check the address in ${name}`,
    });
    return false;
  }
  const finding = judgeCertificate(check, host, seen, Date.now());
  yield finding;
  return finding.result !== 'fail';
}

/** @param now an instant */
export function judgeCertificate(
  check: ReturnType<typeof createCheck>,
  host: string,
  { protocol, validTo, refusedFor }: Greeting,
  now: number,
): Finding {
  if (refusedFor !== undefined)
    return check.fail(`the certificate of ${host} is not accepted (${refusedFor})`, {
      todo: 'have it renewed for this name; for an authority of your own set NODE_EXTRA_CA_CERTS',
    });
  const days = Math.floor((validTo - now) / day);
  const text = `${protocol}, the certificate of ${host} is valid for ${days} more day(s)`;
  return days < renewWithinDays ? check.warn(text, { todo: 'have it renewed in time' }) : check.ok(text);
}

function openPort(host: string, port: number): Promise<{ from: string } | string> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host, port });
    const end = (result: { from: string } | string) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(withinMs, () => end('no answer'));
    socket.on('connect', () => end({ from: socket.localAddress ?? 'an unknown address' }));
    socket.on('error', (error) => end(codeOf(error)));
  });
}

interface Greeting {
  protocol: string;
  /** Instant. */
  validTo: number;
  refusedFor?: string;
}

/** Accepts any issuer, so that the report can name the problem; sends nothing over the connection. */
function greet(host: string, port: number): Promise<Greeting | string> {
  return new Promise((resolve) => {
    const socket = connectTls({
      host,
      port,
      rejectUnauthorized: false,
      ...(!isIP(host) && { servername: host }),
    });
    const end = (result: Greeting | string) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(withinMs, () => end('no answer'));
    socket.on('error', (error) => end(codeOf(error)));
    socket.on('secureConnect', () => {
      const { valid_to: validTo } = socket.getPeerCertificate();
      const refusedFor = socket.authorized ? undefined : codeOf(socket.authorizationError);
      end({
        protocol: socket.getProtocol() ?? 'TLS',
        validTo: Date.parse(validTo),
        ...(refusedFor !== undefined && { refusedFor }),
      });
    });
  });
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

function codeOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { code, name } = (error ?? {}) as { code?: unknown; name?: string };
  return typeof code === 'string' ? code : (name ?? 'unknown');
}
