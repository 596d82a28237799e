import {
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import { actionPaths } from '../../src/tools/player/actions.js';
import type { FloorActivities } from './activities.js';

const platform = proxyActivities<FloorActivities>({
  startToCloseTimeout: '12s',
  retry: { maximumAttempts: 1 },
});

export interface FloorEvent {
  reservationStatus: number;
}

/** The smallest workflow for a reservation's messages: it stores signals, runs one activity per update, answers a query. */
export async function reservation(reservationId: number): Promise<void> {
  let status = 0;
  setHandler(defineSignal<[FloorEvent[]]>('events'), (events) => {
    for (const { reservationStatus } of events) status = Math.max(status, reservationStatus);
  });
  setHandler(defineQuery<number>('view'), () => status);
  for (const action of actionPaths) {
    setHandler(defineUpdate<object, [object]>(action), (body) =>
      platform.command({ reservationId, action, body }),
    );
  }
  // stays open, as the product's workflow does before it closes
  await condition(() => false);
}

export function booking(request: object): Promise<object> {
  return platform.book(request);
}
