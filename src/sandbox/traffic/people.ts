import type { BookingRequest, Companion } from '../../platform/model.js';
import type { Random } from './random.js';

const families = ['김', '이', '박', '최', '정', '강', '조', '윤', '장', '임', '한', '오'];
const given = [
  '민준',
  '서연',
  '지후',
  '하은',
  '도윤',
  '수아',
  '예준',
  '지우',
  '시우',
  '채원',
  '현우',
  '유나',
];
const streets = ['세종대로', '테헤란로', '올림픽로', '월드컵로', '청계천로', '한강대로', '강남대로'];
const spots = [
  '서울역 1번 출구',
  '김포공항 국내선 1층',
  '강남역 11번 출구',
  '홍대입구역 3번 출구',
  '잠실역 8번 출구',
];

const name = (random: Random) => random.pick(families) + random.pick(given);
/** 010 and a subscriber number that begins with 0: none is given out. */
const phone = (random: Random) => `0100${String(random.whole(0, 9_999_999)).padStart(7, '0')}`;
/** Region 00 issues no licences. */
const licence = (random: Random) =>
  `00-${random.whole(10, 24)}-${String(random.whole(0, 999_999)).padStart(6, '0')}-00`;

function birth(random: Random): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${random.whole(1960, 2003)}${two(random.whole(1, 12))}${two(random.whole(1, 28))}`;
}

export function driver(random: Random): BookingRequest['driver'] {
  return {
    name: name(random),
    birth: birth(random),
    phone: phone(random),
    licenseNumber: licence(random),
    address: `서울시 ${random.pick(streets)} ${random.whole(1, 400)}`,
  };
}

export const companion = (random: Random): Companion => ({
  name: name(random),
  birth: birth(random),
  phone: phone(random),
  licenseNumber: licence(random),
});

export const pickupSpot = (random: Random): string => random.pick(spots);
export const parkingSpot = (random: Random): string => `B${random.whole(1, 4)}-${random.whole(1, 80)}`;
