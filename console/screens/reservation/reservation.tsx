import './reservation.css';
import { useEffect } from 'preact/hooks';
import { useForgottenOutcomes } from '../../actions/last-step.js';
import type { Reservation } from '../../api/types.js';
import { Load } from '../../design/load.js';
import { type Shortcut, useShortcuts } from '../../shortcuts/shortcuts.js';
import { useReservation } from '../../state/reservation.js';
import { t } from '../../texts/index.js';
import { AttentionItems } from './attention-items.js';
import { Decisions } from './decisions.js';
import { Facts } from './facts.js';
import { Head } from './head.js';
import { Impact } from './impact.js';
import { Ladder } from './ladder.js';
import { OpenCommands } from './open-commands.js';
import { Photos } from './photos.js';
import { TimelinePanel } from './timeline.js';

const shortcuts: Shortcut[] = [
  {
    keys: 'a',
    name: () => t('shortcuts.actions'),
    run: () => document.querySelector<HTMLElement>('.rung > button, .ladder summary')?.focus(),
  },
];

/** What happened to one reservation, why each fact is believed, and what can be done. */
export function ReservationScreen({ id }: { id: number }) {
  const resource = useReservation(id);
  useShortcuts(shortcuts);
  useForgottenOutcomes();
  useEffect(() => {
    const before = document.title;
    document.title = `#${id} · Handover`;
    return () => {
      document.title = before;
    };
  }, [id]);
  return <Load of={resource}>{(reservation) => <Sections reservation={reservation} />}</Load>;
}

function Sections({ reservation }: { reservation: Reservation }) {
  return (
    <div class="reservation">
      <Head reservation={reservation} />
      <div class="main-column stack">
        <AttentionItems reservation={reservation} />
        <OpenCommands reservation={reservation} />
        <div class="ladders">
          <Ladder phase="dispatch" reservation={reservation} />
          <Ladder phase="recall" reservation={reservation} />
        </div>
        <Impact reservation={reservation} />
        <Photos reservation={reservation} />
        <Facts reservation={reservation} />
        <Decisions reservation={reservation} />
      </div>
      <div class="side-column">
        <TimelinePanel reservation={reservation} />
      </div>
    </div>
  );
}
