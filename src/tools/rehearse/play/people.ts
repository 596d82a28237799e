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
