import type { RolloutRow } from './dashboard-rows.ts';

/** `no window is open until 2024-03-02T08:00:00Z (written in Europe/Berlin)`. */
export const printWindow = ({ message, changesAt, zones }: NonNullable<RolloutRow['window']>): string =>
  [
    message,
    ...(changesAt === undefined ? [] : [`until ${changesAt}`]),
    ...(zones === undefined ? [] : [`(written in ${zones})`]),
  ].join(' ');
