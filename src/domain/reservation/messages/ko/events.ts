import type { Translation } from '../../../shared/message.js';
import type { EventChannel, Judged } from '../../types.js';
import type { events as english } from '../en/events.js';
import { factName, named } from './names.js';

const channelNames: Readonly<Record<EventChannel, string>> = {
  registration: '예약 등록',
  update: '예약 변경',
  car: '차량 변경',
  status: '상태 웹훅',
};
const verdictTexts: Readonly<Record<Judged, string>> = {
  applied: '적용했습니다.',
  duplicate: '이미 알고 있는 내용이어서 바뀐 것이 없습니다.',
  stale: '알고 있는 것보다 오래된 내용이어서 빈 값만 채웁니다.',
  'after-terminal': '예약이 이미 끝났으며 종료 상태를 유지합니다.',
  conflict: '이전 보고와 모순됩니다.',
  'unknown-status': '알 수 없는 상태이므로 마지막으로 알려진 상태를 유지합니다.',
};

export const events: Readonly<Translation<typeof english>> = {
  event: ({ verdict, ...event }) => `${eventName(event)}: ${verdictTexts[verdict]}`,
  'event.late': ({ ended, ...event }) => {
    const doubt =
      ended === null
        ? '종료 상태를 유지합니다.'
        : `${named(ended)} 상태와 모순되며, 기존 종료 상태를 유지합니다. 차량의 위치를 확인하세요.`;
    return `${eventName(event)}: 예약이 종료된 뒤에 도착했습니다. ${doubt}`;
  },
  closed: () => '예약이 종료되었습니다. 늦게 오는 이벤트를 기다리는 시간이 지났고, 남은 일이 없습니다.',
  booked: ({ by, settledBy, status }) => {
    switch (settledBy) {
      case 'answer':
        return `${by} 님이 예약했습니다. 플랫폼의 응답: "${status ?? ''}".`;
      case 'callback':
        return `${by} 님이 예약했습니다. 응답을 받지 못했으나 콜백으로 확인되었습니다.`;
      case 'person':
        return `${by} 님이 응답을 받지 못한 예약 요청을 이 예약으로 확정했습니다.`;
    }
  },
  'schedule.shown': ({ scheduleId, carId, start, end }, { time }) =>
    `플랫폼 스케줄 ${scheduleId}의 내용: 차량 ${carId}, ${time(start)} – ${time(end)}.`,
  asserted: ({ by, facts }, { time }) => {
    const changes = facts.map(({ name, from, to }) => {
      const value = (it: number) => (name === 'start' || name === 'end' ? time(it) : `${it}`);
      return `${name === 'start' ? '시작' : name === 'end' ? '종료' : factName(name)} ${value(to)}(이전: ${from === null ? '알 수 없음' : value(from)})`;
    });
    return `${by} 님이 확정했습니다: ${changes.join(', ')}.`;
  },
};

function eventName({
  channel,
  status,
  replayed,
}: {
  channel: EventChannel;
  status: number | null;
  replayed: boolean;
}): string {
  const again = replayed ? ', 다시 읽음' : '';
  return `${channelNames[channel]}${status === null ? '' : `, 상태 ${named(status)}`}${again}`;
}
