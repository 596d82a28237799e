import { FormData, type Pool } from 'undici';
import { type ActionPath, isPhoto, methodOf } from '../../src/tools/player/actions.js';
import { bodyOf, peopleNamed } from '../../src/tools/player/people.js';
import { access } from '../target.js';

const people = peopleNamed('Bench');

export interface FloorActivities {
  book(request: object): Promise<object>;
  command(call: { reservationId: number; action: ActionPath; body: object }): Promise<object>;
}

/** The HTTP calls of the product's activities, without anything else. */
export function floorActivities(sandbox: Pool): FloorActivities {
  const send = async (method: 'PUT' | 'POST', path: string, key: string, body: object) => {
    const response = await sandbox.request({
      method,
      path,
      headers: {
        authorization: `Bearer ${key}`,
        ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
      },
      body: body instanceof FormData ? body : JSON.stringify(body),
    });
    const answer = (await response.body.json()) as object;
    if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
    return answer;
  };
  return {
    book: (request) => send('POST', '/reservations', access.channelKey, request),
    command: ({ reservationId, action, body }) =>
      send(
        methodOf(action),
        `/developer/v1/reservation/${reservationId}/${action}`,
        access.supplierKey,
        isPhoto(action) ? bodyOf(people, action) : body,
      ),
  };
}
