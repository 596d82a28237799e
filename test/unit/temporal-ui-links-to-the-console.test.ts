import type { WorkflowClientInterceptor } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { bookingWorkflow, reservationWorkflow } from '../../src/contract/names.js';
import { consoleLinkInterceptor } from '../../src/temporal/client/console-link.js';

type Name = 'signalWithStart' | 'startUpdateWithStart';

const optionsIn = { signalWithStart: 'options', startUpdateWithStart: 'workflowStartOptions' } as const;

/** The options with which a workflow is started. */
async function started(name: Name, workflowType: string): Promise<{ staticDetails?: string }> {
  const { [name]: intercept } = consoleLinkInterceptor('https://handover.example') as Required<
    Pick<WorkflowClientInterceptor, Name>
  >;
  let options: object = {};
  const input = {
    workflowType,
    [optionsIn[name]]: {
      workflowId: 'reservation-8421',
      args: [{ reservationId: 8421 }],
      staticSummary: 's',
    },
  };
  const next = async (given: Record<string, object>) => {
    options = given[optionsIn[name]] ?? {};
    return 'run';
  };
  await (intercept as (...args: unknown[]) => Promise<unknown>)(input, next);
  return options;
}

describe.each(['signalWithStart', 'startUpdateWithStart'] as const)('what %s starts', (name) => {
  it('links a reservation to its screen of the console', async () => {
    expect(await started(name, reservationWorkflow)).toMatchObject({
      staticDetails: '[Console](https://handover.example/r/8421)',
      staticSummary: 's',
    });
  });

  it('is otherwise as it was', async () => {
    expect(await started(name, bookingWorkflow)).not.toHaveProperty('staticDetails');
  });
});
