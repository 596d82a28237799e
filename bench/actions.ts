/** The eight staff actions by the tail of their path, which the platform and the status API share. */
export const dispatchActions = [
  'dispatch/staff',
  'dispatch/start',
  'dispatch/parkingImage',
  'dispatch/carImage',
  'dispatch/complete',
] as const;
export const recallActions = ['recall/staff', 'recall/carImage', 'recall/complete'] as const;
export const actions = [...dispatchActions, ...recallActions] as const;
export type Action = (typeof actions)[number];

export const isPhoto = (action: Action) => action.endsWith('Image');
export const methodOf = (action: Action) => (isPhoto(action) ? 'POST' : 'PUT');

export const staff = { staffName: 'Bench Staff', staffPhone: '01000000001' };
