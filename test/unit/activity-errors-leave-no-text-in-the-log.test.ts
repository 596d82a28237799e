import { expect, it } from 'vitest';
import { createLogger } from '../../src/app/log.js';
import { temporalLogger } from '../../src/temporal/worker/runtime.js';

function logged(error: unknown, fields: object): { line: string; entry: Record<string, unknown> } {
  let line = '';
  const write = (text: string) => {
    line += text;
  };
  const log = createLogger('trace', { write });
  temporalLogger(log).warn('failed', { error, workflowId: 'reservation-1', ...fields });
  return { line, entry: JSON.parse(line) };
}

/** As the database's library writes it: the parameters stand in the message, in the cause and in fields. */
function queryError(): Error {
  const cause = Object.assign(new Error('row (Gil-dong Hong)'), { code: '23505', detail: 'Gil-dong Hong' });
  const message = 'Failed query: insert\n    at params: Gil-dong Hong';
  return Object.assign(new Error(message, { cause }), { code: 'E_QUERY', params: ['Gil-dong Hong'] });
}

it('L60: an activity’s error is logged by its type, code and place, without its text', () => {
  const { line, entry } = logged(queryError(), { activityId: '3', activityType: 'record' });
  expect(line).not.toContain('Hong');
  expect(entry).toMatchObject({
    workflowId: 'reservation-1',
    activityType: 'record',
    failure: { type: 'Error', code: 'E_QUERY', stack: expect.stringContaining('queryError') },
  });
});

it('an error of the engine itself keeps its text', () => {
  const { entry } = logged(new Error('A key is missing: "k9"'), { runId: 'r' });
  expect(entry).toMatchObject({ failure: { message: 'A key is missing: "k9"' } });
});

it('L60: a thrown value that is no error is not logged', () => {
  expect(logged('Gil-dong Hong', { activityId: '3' }).line).not.toContain('Hong');
});
