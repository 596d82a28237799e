import { expect, it } from 'vitest';
import type { Reservation } from '../../../console/api/types.js';
import { decidedOn } from '../../../console/screens/reservation/decided.js';
import { assertFacts, resolveAttention, resolveCommand } from '../../../src/domain/reservation/index.js';
import { hour, origin, override, registered, unknown } from '../../support/reservation-story.js';

const byLee = { by: 'lee', reason: 'seen on the web site' };

it('L24: overrides, resolved outcomes, asserted facts and resolved items are shown with their reasons, the newest first', () => {
  const story = registered();
  story.sendAction('dispatch.staff', { outcome: 'applied' });
  story.at(origin + 5 * hour);
  const commandId = story.sendAction('dispatch.complete', unknown, { override });
  story.at(origin + 6 * hour);
  story.take(resolveCommand(story.state, { commandId, outcome: 'rejected', ...byLee }, story.now));
  story.at(origin + 7 * hour);
  story.take(assertFacts(story.state, { endAt: origin + 40 * hour, ...byLee }, story.now));
  story.at(origin + 8 * hour);
  story.take(resolveAttention(story.state, { kind: 'handover-late', ...byLee }, story.now));
  const shown = decidedOn(story.view as unknown as Reservation);
  expect(shown.map(({ is, about, by, reason, outcome }) => [is, about, by, reason, outcome])).toEqual([
    ['attention', 'handover-late', 'lee', byLee.reason, undefined],
    ['facts', 'facts', 'lee', byLee.reason, undefined],
    ['resolved', 'dispatch.complete', 'lee', byLee.reason, 'rejected'],
    ['override', 'dispatch.complete', 'dana', override.reason, undefined],
  ]);
});
