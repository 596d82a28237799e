import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Connections } from '../../src/api/http/connections.js';
import { TrustedSenders } from '../../src/api/http/trusted-senders.js';

class FakeSocket extends EventEmitter {
  destroyed = false;
  constructor(readonly remoteAddress: string) {
    super();
  }
  destroy() {
    this.destroyed = true;
    this.emit('close');
  }
}

const network = (address: string) => ({ address, prefix: 32, family: 'ipv4' as const });

function server(rules: { allow?: string[]; proxies?: string[] } = {}) {
  let now = 1;
  const trusted = new TrustedSenders({
    allow: (rules.allow ?? []).map(network),
    proxies: (rules.proxies ?? []).map(network),
    now: () => now,
  });
  let closed = 0;
  const connections = new Connections(
    { connections: 6, connectionsEach: 3, streams: 2 },
    trusted,
    () => closed++,
  );
  const open = (address: string) => {
    const socket = new FakeSocket(address);
    connections.admit(socket as unknown as Socket);
    return socket as unknown as Socket;
  };
  const several = (...addresses: string[]) => addresses.map(open);
  return {
    connections,
    trusted,
    open,
    several,
    isOpen: (sockets: Socket[]) => sockets.map(({ destroyed }) => !destroyed),
    pass: (ms: number) => {
      now += ms;
    },
    closed: () => closed,
  };
}

describe('where no further connection is allowed', () => {
  it('of the sender with the most connections, the idle one that was opened first is closed', () => {
    const { open, several, isOpen, closed } = server();
    const sockets = several('10.0.0.1', '10.0.0.2', '10.0.0.2', '10.0.0.2', '10.0.0.3', '10.0.0.3');
    const comer = open('10.0.0.9');
    expect(isOpen([...sockets, comer])).toEqual([true, false, true, true, true, true, true]);
    expect(closed()).toBe(1);
  });

  it('an idle one is closed before one whose request is arriving, and one of a known sender is never closed', () => {
    const { open, several, isOpen, connections } = server();
    const sockets = several('10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5', '10.0.0.6');
    for (const socket of sockets) connections.requestBegan(socket);
    for (const socket of sockets.slice(0, 4)) connections.senderKnown(socket, 'callback');
    connections.requestEnded(sockets[5] as Socket);
    const comers = several('10.0.0.7', '10.0.0.8');
    expect(isOpen(sockets)).toEqual([true, true, true, true, true, false]);
    expect(isOpen(comers)).toEqual([false, true]);
    for (const socket of comers) connections.requestBegan(socket);
    open('10.0.0.9');
    expect(isOpen(sockets)).toEqual([true, true, true, true, false, false]);
  });

  it('an unknown sender has a bounded number: its oldest idle one is closed for its newest', () => {
    const { several, isOpen } = server();
    expect(isOpen(several('10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.1'))).toEqual([
      false,
      true,
      true,
      true,
    ]);
    const ofOneNetwork = several('2001:db8::1', '2001:db8::2', '2001:db8::3:4', '2001:db8:0:0:9::');
    expect(isOpen(ofOneNetwork)).toEqual([false, true, true, true]);
  });

  it('an authenticated sender, an allowed one and a proxy lose none to unknown senders', () => {
    const { open, several, isOpen, trusted, pass } = server({ allow: ['10.1.0.1'], proxies: ['10.2.0.1'] });
    trusted.authenticated(trusted.networkOf('10.0.0.1'));
    const theirs = several('10.0.0.1', '10.0.0.1', '10.1.0.1', '10.1.0.1', '10.2.0.1', '10.2.0.1');
    expect(isOpen([open('10.0.0.9')])).toEqual([false]);
    expect(isOpen(theirs)).toEqual(theirs.map(() => true));
    expect(isOpen([open('10.1.0.1')])).toEqual([true]);
    pass(60 * 60_000 + 1);
    expect(isOpen([open('10.0.0.9')])).toEqual([true]);
  });

  it('staff have half of the connections at most', () => {
    const { open, several, isOpen, connections } = server();
    const sockets = several('10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5', '10.0.0.6');
    for (const socket of sockets) {
      connections.requestBegan(socket);
      connections.senderKnown(socket, 'staff');
    }
    const comers = ['10.0.0.7', '10.0.0.8', '10.0.0.9'].map((address) => {
      const socket = open(address);
      connections.requestBegan(socket);
      connections.senderKnown(socket, 'callback');
      return socket;
    });
    expect(isOpen([...sockets, ...comers])).toEqual([
      true,
      true,
      true,
      ...sockets.slice(3).map(() => false),
      true,
      true,
      true,
    ]);
    expect(isOpen([open('10.0.0.10')])).toEqual([false]);
  });

  it('a connection that ends frees its place', () => {
    const { open, several, isOpen } = server();
    const sockets = several('10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5', '10.0.0.6');
    sockets[2]?.destroy();
    expect(isOpen([open('10.0.0.7')])).toEqual([true]);
    expect(isOpen(sockets)).toEqual([true, true, false, true, true, true]);
  });
});
