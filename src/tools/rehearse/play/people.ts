/** The people of every story. All of it is personal data (L60): a test looks for these values wherever none may be. */
export const people = {
  driver: {
    name: 'Driver Kim Haneul',
    birth: '19870612',
    phone: '01071234567',
    licenseNumber: '11-87-612345-01',
    address: '77 Driver-ro, Mapo-gu, Seoul',
  },
  otherDriver: { name: 'Second Driver Seo', phone: '01074445555' },
  pickupAddress: '1 Pickup-daero, Jung-gu, Seoul',
  pickupMemo: 'call before the pickup',
  companion: {
    name: 'Companion Lee Sora',
    birth: '19900103',
    phone: '01079876543',
    licenseNumber: '12-90-103456-02',
  },
  dispatchStaff: { staffName: 'Dispatcher Park', staffPhone: '01072220001' },
  recallStaff: { staffName: 'Recaller Choi', staffPhone: '01072220002' },
  parking: { parkingMemo: 'level B2 beside pillar 14', parkingLotType: 1 },
} as const;

/** A white PNG of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
  'base64',
);

/** What an action takes (G13-G15): a form with a photo, or a JSON body. */
export function bodyOf(action: string, more: Record<string, string | boolean> = {}): FormData | object {
  if (action.endsWith('Image')) {
    const form = new FormData();
    for (const [name, value] of Object.entries(more)) form.set(name, String(value));
    form.set('image', new Blob([pixel], { type: 'image/png' }), 'photo.png');
    return form;
  }
  if (action === 'dispatch/staff') return { ...people.dispatchStaff, ...more };
  if (action === 'recall/staff') return { ...people.recallStaff, ...more };
  return action === 'dispatch/complete' ? { ...people.parking, ...more } : more;
}

export function bookingBody(period: { startAt: number; endAt: number }) {
  return {
    productId: 301,
    startAt: new Date(period.startAt).toISOString(),
    endAt: new Date(period.endAt).toISOString(),
    pickupAddress: people.pickupAddress,
    pickupMemo: people.pickupMemo,
    driver: people.driver,
  };
}

export const methodOf = (action: string) => (action.endsWith('Image') ? 'POST' : 'PUT');
