import { FormData } from 'undici';
import type { Instant } from '../../domain/shared/time.js';
import { type ActionPath, isPhoto } from './actions.js';

interface Staff {
  staffName: string;
  staffPhone: string;
}

/** Who acts in a story, and what they register. */
export interface People {
  driver: { name: string; birth: string; phone: string; licenseNumber: string; address: string };
  pickupAddress: string;
  dispatchStaff: Staff;
  recallStaff: Staff;
  /** Registered when dispatch is complete. */
  parking?: { parkingMemo: string; parkingLotType: number };
  photo?: () => Blob;
}

/** People without a part of their own, such as `Demo Driver`. */
export function peopleNamed(name: string): People {
  const address = '1 Sejong-daero, Jung-gu, Seoul';
  const staff = { staffName: `${name} Staff`, staffPhone: '01000000001' };
  return {
    driver: {
      name: `${name} Driver`,
      birth: '19900101',
      phone: '01000000000',
      licenseNumber: '00-00-000000-00',
      address,
    },
    pickupAddress: address,
    dispatchStaff: staff,
    recallStaff: staff,
  };
}

/** A white PNG of one pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
  'base64',
);

const samplePhoto = () => new Blob([pixel], { type: 'image/png' });

/** The body of an action (G13-G15): a form with a photo, or JSON. */
export function bodyOf(
  people: People,
  action: ActionPath,
  more: Record<string, string | boolean> = {},
): FormData | object {
  if (isPhoto(action)) {
    const form = new FormData();
    for (const [name, value] of Object.entries(more)) form.set(name, String(value));
    form.set('image', (people.photo ?? samplePhoto)(), 'photo.png');
    return form;
  }
  if (action === 'dispatch/staff') return { ...people.dispatchStaff, ...more };
  if (action === 'recall/staff') return { ...people.recallStaff, ...more };
  return action === 'dispatch/complete' ? { ...people.parking, ...more } : more;
}

/** A booking, on the platform and in the status API (G11). */
export interface Rental {
  productId: number;
  startAt: Instant;
  endAt: Instant;
  pickupMemo?: string;
}

export function bookingBody(people: People, { startAt, endAt, ...rental }: Rental): object {
  return {
    ...rental,
    startAt: new Date(startAt).toISOString(),
    endAt: new Date(endAt).toISOString(),
    pickupAddress: people.pickupAddress,
    driver: people.driver,
  };
}
