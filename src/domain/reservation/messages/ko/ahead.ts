import type { Locale, Translation } from '../../../shared/message.js';
import type { Instant } from '../../../shared/time.js';
import type { CarEntry, CarFact } from '../../types.js';
import type { ahead as english } from '../en/ahead.js';
import { carName } from './names.js';

export const ahead: Readonly<Translation<typeof english>> = {
  'ahead.seen': ({ carId, next }, { time }) =>
    next === null
      ? `차량 ${carId}의 스케줄에 앞으로 일주일 동안 다음 항목이 없습니다.`
      : `차량 ${carId}의 스케줄에서 다음 항목: ${entryText(next, time)}.`,
  'ahead.failed': ({ carId, code }) =>
    `차량 ${carId}의 이후 스케줄을 읽지 못했습니다(${code}). 다시 시도합니다.`,
  'attention.next-in-danger': ({ atRisk }, { time }) => {
    if (atRisk === null)
      return '차량이 다음 일정에 필요하지만 제때 돌아오지 못할 수 있습니다. 고객에게 전화하세요.';
    const { next, candidates, at, isLate } = atRisk;
    const why = isLate ? '차량이 반납되지 않았습니다.' : '대여 기간이 연장되었습니다.';
    const left = timeLeft(next.start, at, time);
    const follows = `${why} 다음 항목: ${entryText(next, time)}. ${left} ${candidatesText(candidates)}`;
    return next.type === 'R'
      ? `다음 예약이 위험합니다. ${follows} 고객에게 전화하거나 다음 예약에 다른 차량을 배정하세요.`
      : `차량이 다음 일정에 필요합니다. ${follows} 고객에게 전화하거나 그 항목을 다른 시간이나 차량으로 옮기세요.`;
  },
};

function entryText({ type, scheduleId, start, end, reservationId }: CarEntry, time: Locale['time']): string {
  const whose = reservationId === undefined ? '예약' : `예약 ${reservationId}`;
  const what = type === 'R' ? whose : '외부 항목';
  return `${what}(${type} ${scheduleId}), ${time(start)} – ${time(end)}`;
}

function timeLeft(start: Instant, at: Instant, time: Locale['time']): string {
  if (start <= at) return `${time(at)} 기준으로 이미 시작되었습니다.`;
  const minutes = Math.floor((start - at) / 60_000);
  const hours = Math.floor(minutes / 60);
  return `${time(at)} 기준으로 ${hours > 0 ? `${hours}시간 ` : ''}${minutes % 60}분 남았습니다.`;
}

function candidatesText(candidates: readonly CarFact[] | null): string {
  if (candidates === null) return '대신할 수 있는 다른 차량을 알 수 없습니다.';
  if (candidates.length === 0) return '같은 상품에 그 기간에 비어 있고 판매 중인 다른 차량이 없습니다.';
  return `그 기간에 비어 있고 판매 중인 차량: ${candidates.map(carName).join(', ')}.`;
}
