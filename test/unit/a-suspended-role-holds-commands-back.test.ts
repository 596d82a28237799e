import { expect, it } from 'vitest';
import type { Alert } from '../../src/store/alerts/alerts.js';
import { inEnglish, message } from '../../src/store/alerts/messages/message.js';
import { createRoleGate } from '../../src/store/alerts/role-gate.js';
import type { ListPage } from '../../src/store/page.js';
import { eventually } from '../support/eventually.js';

const suspended = (subject: string): Alert => ({
  id: 1,
  kind: 'role-suspended',
  subject,
  since: 0,
  message: '',
  clearedAt: null,
});
const pageOf = (items: Alert[]): ListPage<Alert> => ({ items, nextCursor: null, asOf: 0 });

it('L30: the open alert of a role suspends that role, and no other', async () => {
  const gate = createRoleGate({ list: async () => pageOf([suspended('supplier')]) });
  expect(await gate.isSuspended('supplier')).toBe(true);
  expect(await gate.isSuspended('channel')).toBe(false);
});

it('simultaneous checks share one read; a change of this process is visible at once', async () => {
  let reads = 0;
  let open = [suspended('supplier')];
  const gate = createRoleGate({
    list: async () => {
      reads += 1;
      return pageOf(open);
    },
  });
  expect(await Promise.all([1, 2, 3].map(() => gate.isSuspended('supplier')))).toEqual([true, true, true]);
  expect(reads).toBe(1);
  open = [];
  gate.forget();
  expect(await gate.isSuspended('supplier')).toBe(false);
  expect(reads).toBe(2);
});

it('a change of another process is visible after a second', async () => {
  let open: Alert[] = [];
  const gate = createRoleGate({ list: async () => pageOf(open) });
  expect(await gate.isSuspended('channel')).toBe(false);
  open = [suspended('channel')];
  await eventually('it is seen', () => gate.isSuspended('channel'), 3_000);
});

it('a database that fails or is silent delays nothing: the last known state counts', async () => {
  const answers = [
    async () => pageOf([suspended('supplier')]),
    async () => Promise.reject(new Error('away')),
    () => new Promise<ListPage<Alert>>(() => {}),
  ];
  const gate = createRoleGate({ list: () => (answers.shift() ?? (async () => pageOf([])))() });
  for (const _ of [1, 2, 3]) {
    expect(await gate.isSuspended('supplier')).toBe(true);
    gate.forget();
  }
  expect(await gate.isSuspended('supplier')).toBe(false);
});

it('the text of the alert names the role, the answer, and the variable that holds the key', () => {
  const text = (data: Parameters<typeof message<'alert.role-suspended'>>[1]) =>
    inEnglish(message('alert.role-suspended', data));
  const channel = text({ role: 'channel', code: 'FORBIDDEN', reads: false });
  expect(channel).toMatch(/refuses the deployment's channel key \(FORBIDDEN, L30\): no booking is sent/);
  expect(channel).toContain('PLATFORM_CHANNEL_API_KEY');
  const supplier = text({ role: 'supplier', code: 'UNAUTHORIZED', reads: true });
  expect(supplier).toMatch(/refuses actions of the deployment's supplier key, although the key reads/);
  expect(supplier).toContain('PLATFORM_SUPPLIER_API_KEY');
});
