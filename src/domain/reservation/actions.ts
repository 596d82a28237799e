/** All that distinguishes one staff action from another. */
interface StaffAction {
  /** The platform's operation, and the activity that sends it: a name in histories. */
  operation: string;
  /** Its recommended order is that of the table, within one phase (L27). */
  phase: 'dispatch' | 'recall';
  /** In which statuses the platform takes it; the earliest first. */
  allowedAt: readonly [number, ...number[]];
  /** The status that it moves to; null: it moves none, and is sent once per request (L25). */
  target: number | null;
  /** Fields of its body, beside an override and its reason (G13-G15). */
  fields: 'none' | 'staff' | 'parking' | 'note';
  hasPhoto: boolean;
  /** What of a callback settles an unknown outcome (L24); null: a person does. */
  shownBy: 'status' | 'imageUrl' | null;
}

/**
 * The eight staff actions (specification, Reservation operations; docs/lifecycle.md, Commands). All of them are the rental
 * company's, and for staff. Their path is their own: `dispatch.start` is `dispatch/start`.
 */
export const staffActions = {
  'dispatch.staff': {
    operation: 'dispatchStaff',
    phase: 'dispatch',
    allowedAt: [5, 10],
    target: null,
    fields: 'staff',
    hasPhoto: false,
    shownBy: null,
  },
  'dispatch.start': {
    operation: 'dispatchStart',
    phase: 'dispatch',
    allowedAt: [5],
    target: 10,
    fields: 'none',
    hasPhoto: false,
    shownBy: 'status',
  },
  'dispatch.parkingImage': {
    operation: 'dispatchParkingImage',
    phase: 'dispatch',
    allowedAt: [10],
    target: null,
    fields: 'parking',
    hasPhoto: true,
    shownBy: 'imageUrl',
  },
  'dispatch.carImage': {
    operation: 'dispatchCarImage',
    phase: 'dispatch',
    allowedAt: [10],
    target: null,
    fields: 'none',
    hasPhoto: true,
    shownBy: null,
  },
  'dispatch.complete': {
    operation: 'dispatchComplete',
    phase: 'dispatch',
    allowedAt: [10],
    target: 15,
    fields: 'parking',
    hasPhoto: false,
    shownBy: 'status',
  },
  'recall.staff': {
    operation: 'recallStaff',
    phase: 'recall',
    allowedAt: [15, 20, 25, 30],
    target: null,
    fields: 'staff',
    hasPhoto: false,
    shownBy: null,
  },
  'recall.carImage': {
    operation: 'recallCarImage',
    phase: 'recall',
    allowedAt: [30],
    target: null,
    fields: 'none',
    hasPhoto: true,
    shownBy: null,
  },
  'recall.complete': {
    operation: 'recallComplete',
    phase: 'recall',
    allowedAt: [30],
    target: 35,
    fields: 'note',
    hasPhoto: false,
    shownBy: 'status',
  },
} as const satisfies Readonly<Record<string, StaffAction>>;

export type Action = keyof typeof staffActions;
export type ActionOperation = (typeof staffActions)[Action]['operation'];

/** In the recommended order of each phase. */
export const actions = Object.keys(staffActions) as readonly Action[];

type PathOf<A extends string> = A extends `${infer Phase}.${infer Step}` ? `${Phase}/${Step}` : never;
/** The tail of an action's path, which the platform and the status API share: `dispatch/start`. */
export type ActionPath = PathOf<Action>;

export function pathOf(action: Action): ActionPath {
  return action.replace('.', '/') as ActionPath;
}

/** The HTTP method of its request: a photo is sent by POST. */
export function methodOf(action: Action): 'POST' | 'PUT' {
  return staffActions[action].hasPhoto ? 'POST' : 'PUT';
}

/** The status that an action moves to; photos and staff move nothing. */
export function targetOf(action: Action): number | null {
  return staffActions[action].target;
}

/** The earliest status in which the platform takes an action. */
export function earliestStatus(action: Action): number {
  return staffActions[action].allowedAt[0];
}

/** Whether the platform takes an action in this status; null: the status is unknown. */
export function isAllowedAt(action: Action, status: number | null): boolean {
  const { allowedAt }: StaffAction = staffActions[action];
  return status !== null && allowedAt.includes(status);
}

/** Whose steps are next, or were last: those of the recall from the handover on, of the dispatch before it and where there was none. */
export function phaseAt(status: number | null): StaffAction['phase'] {
  const isRecall = isAllowedAt('recall.staff', status) || status === targetOf('recall.complete');
  return isRecall ? 'recall' : 'dispatch';
}

/** L27: the recommended steps before an action, in their order. */
export function stepsBefore(action: Action): Action[] {
  const { phase } = staffActions[action];
  return actions.slice(0, actions.indexOf(action)).filter((earlier) => staffActions[earlier].phase === phase);
}
