import { byNumberOf } from '@nodewright/apis';
import { badImageIncidents } from './bad-image-incidents.ts';
import { driftIncidents } from './drift-incidents.ts';
import { groupIncidents } from './group-incidents.ts';
import type { Incident } from './incident.ts';

/** The incidents that images, drift and expiry cause, in the order of their numbers. */
export const incidents: readonly Incident[] = [...badImageIncidents, ...driftIncidents, ...groupIncidents].toSorted(
  byNumberOf(({ id }) => Number(id.slice(1))),
);
