import type { ComponentChildren } from 'preact';
import { t, textOf } from '../texts/index.js';
import { Icon, type IconName } from './icon.js';
import { statusMarks, type Tone } from './meanings.js';

/** A short statement: always an icon and a text. */
export function Mark(props: {
  icon: IconName;
  tone?: Tone;
  title?: string;
  dashed?: boolean;
  children: ComponentChildren;
}) {
  const { icon, tone = 'quiet', title, dashed = false, children } = props;
  return (
    <span class={`mark ${tone}${dashed ? ' dashed' : ''}`} title={title}>
      <Icon name={icon} />
      <span>{children}</span>
    </span>
  );
}

/** The status of a reservation. Dashed: believed, but not reported. */
export function StatusMark({ code, grade = 'observed' }: { code: number | null; grade?: string | null }) {
  const { icon, tone } = (code === null ? undefined : statusMarks[code]) ?? { icon: 'unknown', tone: 'warn' };
  return (
    <Mark icon={icon} tone={tone} dashed={grade !== 'observed'}>
      {code === null ? t('status:unknown') : textOf('status', code)}
    </Mark>
  );
}

/** The plate of a car; without a known one what it is called. */
export function carName({ carNumber, carId }: { carNumber: string | null; carId: number | null }): string {
  return carNumber ?? (carId === null ? t('car.none') : t('car.id', { id: carId }));
}

/** The plate, as a link to its car. */
export function CarLink({ number, carId }: { number: string | null; carId: number | null }) {
  const plate = <Plate number={number} carId={carId} />;
  if (carId === null) return plate;
  return (
    <a class="plate-link" href={`/cars?car=${carId}`}>
      {plate}
    </a>
  );
}

export function Plate({ number, carId = null }: { number: string | null; carId?: number | null }) {
  return (
    <span class={number === null ? 'plate unknown' : 'plate'}>{carName({ carNumber: number, carId })}</span>
  );
}
