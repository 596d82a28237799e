import type { Client } from '@temporalio/client';
import { FakePlatform } from './fake-platform.js';
import type { TestReservation, TestStart } from './reservations.js';

/** One course of a reservation, played on a real engine within seconds; its history becomes a golden one. */
export interface Story {
  start?: TestStart;
  /** What answers the worker; by default a platform that accepts everything. */
  platform?(client: Client): FakePlatform;
  play(rental: TestReservation, platform: FakePlatform): Promise<void>;
  /** Whose history it is about; by default the reservation's. */
  workflowId?: string;
}

export function platformOf(story: Story, client: Client): FakePlatform {
  return story.platform?.(client) ?? new FakePlatform();
}
