import { type Cause, invalidCause } from '../../schema/cause.ts';
import { type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { jsonTextsIn, validateCounts } from './checks.ts';

/** The numbers of pods in the status of a workload, and which of them another one limits. */
type WorkloadCounts = {
  readonly counts: readonly string[];
  readonly limits?: readonly (readonly [count: string, most: string, problem: string])[];
};

const ofReplicas = 'cannot be greater than status.replicas';

const workloadCounts = {
  deployment: {
    counts: [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'collisionCount',
      'terminatingReplicas',
    ],
    limits: [
      ['updatedReplicas', 'replicas', ofReplicas],
      ['readyReplicas', 'replicas', ofReplicas],
      ['availableReplicas', 'replicas', ofReplicas],
      ['availableReplicas', 'readyReplicas', 'cannot be greater than readyReplicas'],
    ],
  },
  replicaSet: {
    counts: [
      'replicas',
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
      'observedGeneration',
      'terminatingReplicas',
    ],
    limits: [
      ['fullyLabeledReplicas', 'replicas', ofReplicas],
      ['readyReplicas', 'replicas', ofReplicas],
      ['availableReplicas', 'replicas', ofReplicas],
      ['availableReplicas', 'readyReplicas', 'cannot be greater than readyReplicas'],
    ],
  },
  statefulSet: {
    counts: [
      'replicas',
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'observedGeneration',
      'collisionCount',
      'availableReplicas',
    ],
    limits: [
      ['readyReplicas', 'replicas', ofReplicas],
      ['currentReplicas', 'replicas', ofReplicas],
      ['updatedReplicas', 'replicas', ofReplicas],
      ['availableReplicas', 'replicas', ofReplicas],
      ['availableReplicas', 'readyReplicas', 'cannot be greater than status.readyReplicas'],
    ],
  },
  daemonSet: {
    counts: [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    ],
  },
  replicationController: {
    counts: ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'],
    limits: [
      ['fullyLabeledReplicas', 'replicas', ofReplicas],
      ['readyReplicas', 'replicas', ofReplicas],
      ['availableReplicas', 'replicas', ofReplicas],
      ['availableReplicas', 'readyReplicas', 'cannot be greater than readyReplicas'],
    ],
  },
} satisfies Readonly<Record<string, WorkloadCounts>>;

export type CountedWorkload = keyof typeof workloadCounts;

/** The problems of the status of a workload: its counts. */
export const workloadStatusCauses =
  (workload: CountedWorkload) =>
  (object: JsonObject): Cause[] => {
    const { counts, limits = [] }: WorkloadCounts = workloadCounts[workload];
    const { status } = object;
    const count = (name: string): number => Number(memberOf(status, name) ?? 0);
    return [
      ...validateCounts(status, 'status', counts),
      ...limits
        .filter(([name, most]) => count(name) > count(most))
        .map(([name, , problem]) => invalidCause(`status.${name}`, count(name), problem)),
    ];
  };

/** The problems of a Namespace: what keeps it has a domain. */
export const namespaceSpecCauses = (object: JsonObject): Cause[] =>
  jsonTextsIn(memberOf(object['spec'], 'finalizers'))
    .filter((name) => name !== 'kubernetes' && !name.includes('/'))
    .map((name) =>
      invalidCause('spec.finalizers', name, 'name is neither a standard finalizer name nor is it fully qualified'),
    );

/** The problems of the status of a Namespace: its phase says whether it is being deleted. */
export function namespaceStatusCauses(object: JsonObject): Cause[] {
  const isDeleted = jsonTextAt(object, 'metadata', 'deletionTimestamp') !== '';
  const phase = jsonTextAt(object, 'status', 'phase');
  const expected = isDeleted ? 'Terminating' : 'Active';
  if (phase === expected || (phase === '' && !isDeleted)) return [];
  const because = isDeleted
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty";
  return [invalidCause('status.Phase', phase, because)];
}
