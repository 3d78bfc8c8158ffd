import { at, isObject, type Json, type JsonObject, member } from '../schema/json.ts';
import { fillIn, within } from './fill.ts';
import { podSpecDefaults } from './pod-defaults.ts';

const templateDefaults = (spec: JsonObject): JsonObject =>
  within(spec, 'template', (template) => within(template, 'spec', podSpecDefaults));

const quarter: JsonObject = { maxUnavailable: '25%', maxSurge: '25%' };

function deployment(object: JsonObject): JsonObject {
  return within(object, 'spec', (spec) => {
    const filled = fillIn(templateDefaults(spec), {
      replicas: 1,
      strategy: {},
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    });
    return within(filled, 'strategy', (strategy) => rollingDefaults(strategy, quarter));
  });
}

function rollingDefaults(strategy: JsonObject, rollingUpdate: JsonObject): JsonObject {
  const filled = fillIn(strategy, { type: 'RollingUpdate' });
  if (filled['type'] !== 'RollingUpdate') return filled;
  return within(fillIn(filled, { rollingUpdate: {} }), 'rollingUpdate', (rolling) => fillIn(rolling, rollingUpdate));
}

const replicaSet = (object: JsonObject): JsonObject =>
  within(fillIn(object, { status: { replicas: 0 } }), 'spec', (spec) =>
    fillIn(templateDefaults(spec), { replicas: 1 }),
  );

function statefulSet(object: JsonObject): JsonObject {
  return within(object, 'spec', (spec) => {
    const filled = fillIn(templateDefaults(spec), {
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      updateStrategy: {},
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    });
    return within(filled, 'updateStrategy', (strategy) => rollingDefaults(strategy, { partition: 0 }));
  });
}

const templateGeneration = 'deprecated.daemonset.template.generation';

function daemonSet(object: JsonObject): JsonObject {
  const marked = within(object, 'metadata', (metadata) => {
    const annotations = member(metadata, 'annotations');
    return {
      ...metadata,
      annotations: fillIn(isObject(annotations) ? annotations : {}, { [templateGeneration]: '1' }),
    };
  });
  return within(marked, 'spec', (spec) => {
    const filled = fillIn(templateDefaults(spec), { updateStrategy: {}, revisionHistoryLimit: 10 });
    return within(filled, 'updateStrategy', (strategy) =>
      rollingDefaults(strategy, { maxUnavailable: 1, maxSurge: 0 }),
    );
  });
}

/** The generated selector and labels of a job need its UID: `jobSelector` adds them on create. */
const job = (object: JsonObject): JsonObject => within(fillIn(object, { status: {} }), 'spec', jobSpecDefaults);

function jobSpecDefaults(spec: JsonObject): JsonObject {
  const counts: JsonObject =
    spec['completions'] === undefined && spec['parallelism'] === undefined
      ? { completions: 1, parallelism: 1 }
      : { parallelism: 1 };
  return fillIn(templateDefaults(spec), {
    ...counts,
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
  });
}

/** What a new job without `manualSelector` gets: pods are told apart by the job's UID. */
export function jobSelector(job: JsonObject, uid: string): JsonObject {
  if (at(job, 'spec', 'manualSelector') === true) return job;
  const name = at(job, 'metadata', 'name') ?? '';
  const unique = { 'batch.kubernetes.io/controller-uid': uid };
  const labels: JsonObject = {
    ...unique,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  return within(job, 'spec', (spec) => ({
    ...within(spec, 'template', (template) => ({
      ...template,
      metadata: labelled(member(template, 'metadata'), labels),
    })),
    manualSelector: false,
    selector: { matchLabels: unique },
  }));
}

function labelled(metadata: Json | undefined, labels: JsonObject): JsonObject {
  const known = isObject(metadata) ? metadata : {};
  const own = member(known, 'labels');
  return { ...known, labels: { ...(isObject(own) ? own : {}), ...labels } };
}

const cronJob = (object: JsonObject): JsonObject =>
  within(fillIn(object, { status: {} }), 'spec', (spec) => {
    const filled = fillIn(spec, {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    return within(filled, 'jobTemplate', (template) =>
      within(fillIn(template, { metadata: {} }), 'spec', (inner) =>
        within(templateDefaults(inner), 'template', (pod) => fillIn(pod, { metadata: {} })),
      ),
    );
  });

/** Defaults of the kinds that make pods from a template. */
export const workloadDefaults = { deployment, replicaSet, statefulSet, daemonSet, job, cronJob };
