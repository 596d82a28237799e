import { describe, expect, it } from 'vitest';
import { actionOutcome } from '../../src/api/http/outcome.js';
import { Problem } from '../../src/api/http/problem.js';
import { withoutPersonalData } from '../../src/api/reservations/view.js';
import { view } from '../../src/domain/reservation/index.js';
import type { WireProfile } from '../../src/platform/profile.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { joinTexts, splitTexts } from '../../src/store/bookings/texts.js';
import { answering, httpPeer } from '../support/http-peer.js';
import { clientOf, failure } from '../support/platform-client.js';
import { Story } from '../support/reservation-story.js';

const profile = (shown?: WireProfile['errors']['shown']): WireProfile => ({
  ...defaultProfile,
  errors: { ...defaultProfile.errors, ...(shown !== undefined && { shown }) },
});
const said = (_status: number, body: unknown) => (body as { message: string }).message;

async function refusalWith(shown: WireProfile['errors']['shown'], message: unknown) {
  const { url } = await httpPeer(answering(409, { code: 'ILLEGAL_STATE', message }));
  return failure(clientOf(url, { profile: profile(shown) }).dispatchStart(1));
}

describe('the text of a refusal', () => {
  it('is not shown where the profile does not declare it free of personal data', async () => {
    const { message, details } = await refusalWith(undefined, 'Driver 김운전 is not there');
    expect(details).not.toHaveProperty('platformMessage');
    expect(message).not.toContain('Driver');
  });

  it('is shown beside our own where the profile does, in one line of bounded length', async () => {
    const text = `The car\u0000 is\r\n\u001b[31mbeing washed\u2028${'x'.repeat(5_000)}`;
    const { message, details } = await refusalWith(said, text);
    expect(details.platformMessage).toMatch(/^The car is \[31mbeing washed x+$/);
    expect(details.platformMessage).toHaveLength(500);
    expect(message).not.toContain('washed');
  });

  it.each([
    ['no text', 7],
    ['blank', ' \n '],
  ])('is absent where it is %s', async (_, text) => {
    expect((await refusalWith(said, text)).details).not.toHaveProperty('platformMessage');
  });

  it('is absent where the profile fails on the body', async () => {
    const fails = () => {
      throw new Error('no');
    };
    expect((await refusalWith(fails, 'x')).code).toBe('ILLEGAL_STATE');
  });
});

describe('a staff action that the platform refuses', () => {
  function refused() {
    const story = new Story();
    story.registered();
    const id = story.sendAction('dispatch.staff', {
      outcome: 'rejected',
      code: 'ILLEGAL_STATE',
      message: 'ours',
      platformMessage: 'the car is being washed',
    });
    return { story, id };
  }

  it('gets both texts in its problem, each by itself', () => {
    const { story, id } = refused();
    const act = () =>
      actionOutcome(1, {
        kind: 'answered',
        command: story.shown(id),
        reservation: view(story.state, story.now),
      });
    expect(act).toThrow(Problem);
    try {
      act();
    } catch (problem) {
      expect(problem).toMatchObject({
        message: expect.stringContaining('(ILLEGAL_STATE). '),
        extra: { members: { platformMessage: 'the car is being washed', platformCode: 'ILLEGAL_STATE' } },
      });
    }
  });

  it('shows it neither to a viewer nor in the timeline', () => {
    const { story } = refused();
    expect(JSON.stringify(withoutPersonalData(story.view))).not.toContain('washed');
    expect(JSON.stringify(story.entries)).not.toContain('washed');
  });
});

it('a booking keeps both texts in one sealed column, and reads what 0.2.0 wrote', () => {
  const both = { message: 'ours', platformMessage: 'theirs' };
  expect(splitTexts(joinTexts(both))).toEqual(both);
  expect(splitTexts('ours')).toEqual({ message: 'ours' });
});
