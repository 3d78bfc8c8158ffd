import {
  type BatchJob,
  kubernetesLabels,
  type NodeRollout,
  type NodeRolloutPolicySpec,
  readOwn,
  type RolloutCheck,
} from '@nodewright/apis';
import { structuralHash } from '../../drift/structural-hash.ts';
import type { CheckVerdict } from './check-results.ts';
import { type CheckedMember, isChecked } from './due-checks.ts';

/** On Jobs of checks and on their pods. */
export const checkRolloutLabel = 'nodewright.dev/checked-rollout';

const longestJobName = 63;
/** A Job that says nothing for so long has failed, where its template sets no time. */
const usualDeadlineSeconds = 600;
/** Jobs go by themselves after a day, if the controller that made them does not come back. */
const keptSeconds = 86_400;

export type JobPlace = {
  readonly rollout: NodeRollout;
  readonly check: RolloutCheck;
  readonly member: CheckedMember;
  readonly run: number;
};

/** The same for the same run on the same node: a controller that runs it again finds the Job that is there. */
export function checkJobName({ rollout, check, member, run }: JobPlace): string {
  const suffix = `-${structuralHash([rollout.metadata.uid, check.name, member.name])}-${run}`;
  const name = `${rollout.metadata.name}-${check.name}`.toLowerCase().replaceAll('.', '-');
  return `${name.slice(0, longestJobName - suffix.length).replace(/-+$/, '')}${suffix}`;
}

export const namespaceOfCheck = ({ job }: RolloutCheck): string => job?.namespace ?? 'default';

/** The Job of a check for one new node: its pods go to that node by its hostname, and everything else is the template's. */
export function buildCheckJob(place: JobPlace): BatchJob {
  const { rollout, check, member } = place;
  const { metadata, spec } = partsOf(check.job?.template);
  const template = partsOf(readOwn(spec, 'template'));
  const labels = { [checkRolloutLabel]: rollout.metadata.name };
  const pod = fieldsOfTemplate(template.spec);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: checkJobName(place),
      namespace: namespaceOfCheck(check),
      annotations: textsOfTemplate(readOwn(metadata, 'annotations')),
      labels: { ...textsOfTemplate(readOwn(metadata, 'labels')), ...labels },
      ownerReferences: [
        {
          apiVersion: 'nodewright.dev/v1alpha1',
          kind: 'NodeRollout',
          name: rollout.metadata.name,
          uid: rollout.metadata.uid ?? '',
        },
      ],
    },
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: usualDeadlineSeconds,
      ttlSecondsAfterFinished: keptSeconds,
      ...spec,
      template: {
        metadata: {
          ...template.metadata,
          labels: { ...textsOfTemplate(readOwn(template.metadata, 'labels')), ...labels },
        },
        spec: {
          restartPolicy: 'Never',
          ...pod,
          nodeSelector: {
            ...textsOfTemplate(readOwn(pod, 'nodeSelector')),
            [kubernetesLabels.hostname]: member.hostname,
          },
        },
      },
    },
  };
}

/** What a Job says; absent while it runs. Pods that never got onto the node say nothing of it. */
export function judgeJob({ status = {} }: BatchJob, isPlaced: boolean): CheckVerdict | undefined {
  const ended = status.conditions?.find(
    ({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True',
  );
  if (ended === undefined) return undefined;
  if (ended.type === 'Complete') return { state: 'Passes', detail: 'the Job is complete' };
  const detail = `the Job failed: ${[ended.reason, ended.message].filter((part) => part !== '').join(': ')}`;
  return isPlaced || ended.reason === 'BackoffLimitExceeded'
    ? { state: 'Fails', detail }
    : { state: 'CannotBeAsked', detail: `no pod of the Job got onto the node; ${detail}` };
}

type JobsOfChecks = {
  readonly spec: NodeRolloutPolicySpec;
  readonly members: readonly CheckedMember[];
  readonly jobs: readonly BatchJob[];
};

/** Jobs that can be deleted: none that runs, and none that failed, because its log is kept for users. */
export function unneededJobs(rollout: NodeRollout, { spec, members, jobs }: JobsOfChecks): readonly BatchJob[] {
  const checks = spec.health?.checks ?? [];
  const isGoing = isChecked({ spec, rollout });
  const kept = new Set(
    (rollout.status?.checks ?? [])
      .filter(({ isRunning, state }) => (isRunning === true ? isGoing : state === 'Fails'))
      .flatMap(({ check: name, node, run = 1 }) => {
        const check = checks.find((each) => each.name === name);
        const member = members.find((each) => each.name === node);
        return check === undefined || member === undefined ? [] : [checkJobName({ rollout, check, member, run })];
      }),
  );
  return jobs.filter(({ metadata }) => !kept.has(metadata.name));
}

type TemplateFields = Readonly<Record<string, unknown>>;

const fieldsOfTemplate = (value: unknown): TemplateFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as TemplateFields) : {};

const partsOf = (value: unknown): { readonly metadata: TemplateFields; readonly spec: TemplateFields } => ({
  metadata: fieldsOfTemplate(readOwn(fieldsOfTemplate(value), 'metadata')),
  spec: fieldsOfTemplate(readOwn(fieldsOfTemplate(value), 'spec')),
});

const textsOfTemplate = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fieldsOfTemplate(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
