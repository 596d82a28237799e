import { expect, it } from 'vitest';
import { Terminal } from '../../src/app/startup/terminal.js';

function terminal(callbackUrl?: string, loginToken?: string) {
  const written: string[] = [];
  const shown = new Terminal(
    {
      apiUrl: 'http://127.0.0.1:8080',
      loginToken,
      sandboxUrl: undefined,
      platformUrl: 'https://platform.example',
      temporalAddress: 'temporal:7233',
      temporalUi: undefined,
      dataDir: '/data',
      database: 'embedded',
      tokens: [{ role: 'manager', name: 'manager', token: 'abc' }],
      callbackUrl,
    },
    callbackUrl ?? 'http://127.0.0.1:8080',
    (line) => void written.push(line),
  );
  return { shown, written };
}

it('a start without Temporal prints the addresses at once, and each outage and its end in one line', () => {
  const { shown, written } = terminal();
  shown.unreachable('connection refused');
  expect(written[0]).toMatch(/temporal:7233 cannot be used \(connection refused\)/);
  expect(written[1]).toMatch(/temporal:7233, not connected yet\n/);
  expect(written[1]).toMatch(/Token manager +abc/);
  expect(written[1]).not.toContain('is ready');
  shown.connected();
  shown.ready(12_300);
  shown.connected();
  expect(written.slice(2)).toEqual([
    '  Temporal at temporal:7233 is connected.',
    '  Handover is ready (12.3 s). Ctrl-C stops it.',
  ]);
  shown.unreachable('no answer within 3 s');
  shown.connected();
  expect(written.slice(4)).toEqual([
    expect.stringContaining('(no answer within 3 s)'),
    '  Temporal at temporal:7233 is connected.',
  ]);
});

it('a start with Temporal prints the addresses when everything runs, with that of callbacks where it differs', () => {
  const { shown, written } = terminal('http://127.0.0.1:8090');
  shown.connected();
  shown.ready(8_500);
  expect(written).toEqual([expect.stringContaining('Handover is ready (8.5 s)')]);
  expect(written[0]).toMatch(/Callbacks +http:\/\/127\.0\.0\.1:8090\n/);
  expect(written[0]).toMatch(/Temporal +temporal:7233\n/);
});

it('the console comes first, with a link that logs in where there is a token for it', () => {
  const first = (loginToken?: string) => {
    const { shown, written } = terminal(undefined, loginToken);
    shown.ready(1);
    return written[0]?.split('\n').slice(3, 5);
  };
  expect(first()).toEqual([
    expect.stringMatching(/^ {2}Console +http:\/\/127\.0\.0\.1:8080\/$/),
    expect.stringMatching(/^ {2}Status API +http:\/\/127\.0\.0\.1:8080\/docs$/),
  ]);
  expect(first('manager-a_b')?.[0]).toMatch(/^ {2}Console +http:\/\/127\.0\.0\.1:8080\/#login=manager-a_b$/);
});
