import type { ComponentChildren } from 'preact';
import { send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import type { Intake } from '../../api/types.js';
import { Icon } from '../../design/icon.js';
import { Load } from '../../design/load.js';
import { formatDuration, formatMoment } from '../../design/time.js';
import { now } from '../../state/clock.js';
import { useResource } from '../../state/resource.js';
import { t } from '../../texts/index.js';

/** Rates change by themselves, without a change that the stream reports. */
const readEveryMs = 5_000;

/** How the intake does: rates, acknowledgements, what waits, since when nothing came. */
export function IntakeStrip() {
  const intake = useResource('intake', {
    everyMs: 1_000,
    load: async () => (await send(endpoints.intake)).body,
    concerns: () => false,
    visibleEveryMs: readEveryMs,
  });
  return (
    <section class="panel intake" aria-label={t('intake.title')}>
      <Load of={intake}>{(state) => <Figures intake={state} />}</Load>
    </section>
  );
}

const written = (rate: number) => String(Math.round(rate * 100) / 100);

function Figures({ intake }: { intake: Intake }) {
  const { receiver, backlog, deadLetters, silence, relay, forwarding } = intake;
  const { accepted, refused, overloaded, acknowledgedMs } = receiver;
  const isLosing = refused.perSecond1m > 0 || overloaded.perSecond1m > 0;
  return (
    <dl>
      <Figure name={t('intake.rate')} more={t('intake.perSecond5m', { n: written(accepted.perSecond5m) })}>
        {t('intake.perSecond', { n: written(accepted.perSecond1m) })}
      </Figure>
      <Figure
        name={t('intake.acknowledged')}
        more={acknowledgedMs && t('intake.p99', { n: written(acknowledgedMs.p99) })}
      >
        {acknowledgedMs === null ? t('intake.none') : `${written(acknowledgedMs.p50)} ms`}
      </Figure>
      <Figure
        name={t('intake.refused')}
        isBad={isLosing}
        more={t('intake.overloaded', { n: written(overloaded.perSecond1m) })}
      >
        {t('intake.perSecond', { n: written(refused.perSecond1m) })}
      </Figure>
      <Figure
        name={t('intake.last')}
        more={silence.lastEventAt === null ? null : formatMoment(silence.lastEventAt)}
      >
        {silence.lastEventAt === null
          ? t('intake.never')
          : t('time.ago', { duration: formatDuration(now.value - Date.parse(silence.lastEventAt)) })}
      </Figure>
      <Figure
        name={t('intake.backlog')}
        isBad={backlog.oldestSeconds > 60}
        more={
          backlog.oldestAt && t('intake.oldest', { duration: formatDuration(backlog.oldestSeconds * 1_000) })
        }
      >
        {backlog.events}
      </Figure>
      <Figure name={t('intake.dead')} isBad={deadLetters > 0}>
        {deadLetters}
      </Figure>
      <Figure
        name={t('intake.relay')}
        isBad={relay === null}
        more={
          relay && t('reservation.since', { duration: formatDuration(now.value - Date.parse(relay.since)) })
        }
      >
        {t(relay === null ? 'intake.relay.none' : 'intake.relay.active')}
      </Figure>
      {forwarding !== null && (
        <Figure
          name={t('intake.forwarding')}
          more={
            forwarding.oldestAt &&
            t('intake.oldest', { duration: formatDuration(forwarding.oldestSeconds * 1_000) })
          }
        >
          {forwarding.events}
        </Figure>
      )}
    </dl>
  );
}

function Figure(props: { name: string; isBad?: boolean; more?: string | null; children: ComponentChildren }) {
  const { name, isBad = false, more = null, children } = props;
  return (
    <div class={isBad ? 'bad' : undefined}>
      <dt>{name}</dt>
      <dd>
        <strong class="numeric">
          {isBad && <Icon name="attention" />} {children}
        </strong>
        {more !== null && <span class="soft small numeric">{more}</span>}
      </dd>
    </div>
  );
}
