import { FakePlatform } from './fake-platform.js';
import { Outage } from './outage.js';

/** A platform whose worker's database can be down for the rows of reservations. */
export class DatabaseOutage extends FakePlatform {
  readonly database = new Outage();
  override activities() {
    return this.database.over(super.activities(), ['record', 'closeCase']);
  }
  /** Events by their verdicts, in the order written. */
  get judged(): number[] {
    return this.records.flatMap(({ verdicts }) => verdicts.map(({ inboxId }) => inboxId));
  }
}
