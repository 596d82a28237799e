import { Load } from '../../design/load.js';
import { textOf } from '../../texts/index.js';
import { Deeds } from './deeds.js';
import { Alerts, Items } from './item-list.js';
import { deedsOf, isDone, itemsOf, type ShiftItem } from './items.js';
import { PartNotice } from './part-notice.js';
import { useActivity, useOpenItems } from './reads.js';

/** What happened since then, in figures and in lists. */
export function Story({ since }: { since: string }) {
  const activity = useActivity(since);
  const openItems = useOpenItems();
  return (
    <Load of={activity}>
      {({ items: entries, isWhole }) => (
        <Load of={openItems}>
          {(open) => {
            const items = itemsOf(entries, open.items);
            const deeds = deedsOf(entries);
            const isMore = !open.isWhole;
            const count = (...states: ShiftItem['is'][]) =>
              items.filter(({ is }) => states.includes(is)).length;
            const counts = {
              raised: items.filter(({ raisedAt }) => raisedAt !== null).length,
              resolved: count('resolved', 'cleared'),
              left: count('left'),
              open: `${count('open')}${isMore ? '+' : ''}`,
              done: deeds.filter(isDone).length,
              notDone: deeds.filter((deed) => !isDone(deed)).length,
              people: new Set(deeds.map(({ by }) => by)).size,
            };
            return (
              <>
                <dl class="panel totals">
                  {(Object.keys(counts) as (keyof typeof counts)[]).map((name) => (
                    <div key={name}>
                      <dt>{textOf('shift', name)}</dt>
                      <dd class="numeric">{counts[name]}</dd>
                    </div>
                  ))}
                </dl>
                <PartNotice isWhole={isWhole} n={entries.length} isExported />
                <div class="columns">
                  <div class="stack">
                    <Items items={items} isMore={isMore} />
                    <Alerts since={since} />
                  </div>
                  <Deeds deeds={deeds} />
                </div>
              </>
            );
          }}
        </Load>
      )}
    </Load>
  );
}
