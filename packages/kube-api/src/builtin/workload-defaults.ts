import { valueAtPath, isObject, type JsonValue, type JsonObject, memberOf } from '../schema/json.ts';
import { changeEachItem, fillIn, changeMember } from './fill.ts';
import { volumeDefaults } from './volume-defaults.ts';
import { podSpecDefaults } from './pod-defaults.ts';
import { hasMembers } from './validation/checks.ts';

const templateDefaults = (spec: JsonObject): JsonObject =>
  changeMember(spec, 'template', (template) => changeMember(fillIn(template, { spec: {} }), 'spec', podSpecDefaults));

/** The workloads of the newer groups have a template, whatever their writer leaves out. */
const specDefaults = (object: JsonObject, change: (spec: JsonObject) => JsonObject): JsonObject =>
  changeMember(fillIn(object, { spec: {} }), 'spec', (spec) =>
    change(templateDefaults(fillIn(spec, { template: {} }))),
  );

const quarterOfPods: JsonObject = { maxUnavailable: '25%', maxSurge: '25%' };

function deploymentDefaults(object: JsonObject): JsonObject {
  return specDefaults(object, (spec) => {
    const filled = fillIn(spec, {
      replicas: 1,
      strategy: {},
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    });
    return changeMember(filled, 'strategy', (strategy) => rollingDefaults(strategy, quarterOfPods));
  });
}

function rollingDefaults(strategy: JsonObject, rollingUpdate: JsonObject): JsonObject {
  const filled = fillIn(strategy, { type: 'RollingUpdate' });
  if (filled['type'] !== 'RollingUpdate') return filled;
  return changeMember(fillIn(filled, { rollingUpdate: {} }), 'rollingUpdate', (rolling) =>
    fillIn(rolling, rollingUpdate),
  );
}

const replicaSetDefaults = (object: JsonObject): JsonObject =>
  specDefaults(fillIn(object, { status: { replicas: 0 } }), (spec) => fillIn(spec, { replicas: 1 }));

const replicationControllerDefaults = (object: JsonObject): JsonObject =>
  changeMember(fillIn(object, { status: { replicas: 0 } }), 'spec', (spec) =>
    fillIn(templateDefaults(spec), { replicas: 1 }),
  );

function statefulSetDefaults(object: JsonObject): JsonObject {
  return specDefaults(object, (spec) => {
    const filled = fillIn(spec, {
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      updateStrategy: {},
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: {},
    });
    const kept = changeMember(filled, 'persistentVolumeClaimRetentionPolicy', (policy) =>
      fillIn(policy, { whenDeleted: 'Retain', whenScaled: 'Retain' }),
    );
    const claimed = changeEachItem(kept, 'volumeClaimTemplates', (claim) =>
      volumeDefaults.claim({ ...claim, apiVersion: 'v1', kind: 'PersistentVolumeClaim' }),
    );
    return changeMember(claimed, 'updateStrategy', (strategy) =>
      changeMember(
        rollingDefaults(strategy, { partition: 0 }),
        'rollingUpdate',
        ({ maxUnavailable: _off, ...rolling }) => rolling,
      ),
    );
  });
}

const templateGeneration = 'deprecated.daemonset.template.generation';

function daemonSetDefaults(object: JsonObject): JsonObject {
  const marked = changeMember(object, 'metadata', (metadata) => {
    const annotations = memberOf(metadata, 'annotations');
    return {
      ...metadata,
      annotations: fillIn(isObject(annotations) ? annotations : {}, { [templateGeneration]: '1' }),
    };
  });
  return specDefaults(marked, (spec) => {
    const filled = fillIn(spec, { updateStrategy: {}, revisionHistoryLimit: 10 });
    return changeMember(filled, 'updateStrategy', (strategy) =>
      rollingDefaults(strategy, { maxUnavailable: 1, maxSurge: 0 }),
    );
  });
}

/** The generated selector and labels of a job need its UID: `jobSelector` adds them on create. */
const jobDefaults = (object: JsonObject): JsonObject => specDefaults(fillIn(object, { status: {} }), jobSpecDefaults);

function jobSpecDefaults(spec: JsonObject): JsonObject {
  const counts: JsonObject =
    spec['completions'] === undefined && spec['parallelism'] === undefined
      ? { completions: 1, parallelism: 1 }
      : { parallelism: 1 };
  return fillIn(changeMember(spec, 'podFailurePolicy', failurePolicyDefaults), {
    ...counts,
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
  });
}

/** A condition of a pod that a rule names without a status has to be true. */
const failurePolicyDefaults = (policy: JsonObject): JsonObject =>
  changeEachItem(policy, 'rules', (rule) =>
    changeEachItem(rule, 'onPodConditions', (condition) => fillIn(condition, { status: 'True' })),
  );

/**
 * Adds the generated selector and labels to a job without `manualSelector`. The job's UID identifies its pods. A job without
 * labels has those of its pods.
 */
export function jobSelector(job: JsonObject, uid: string): JsonObject {
  if (valueAtPath(job, 'spec', 'manualSelector') === true) return job;
  const name = valueAtPath(job, 'metadata', 'name') ?? '';
  const unique = { 'batch.kubernetes.io/controller-uid': uid };
  const labels: JsonObject = {
    ...unique,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  const selecting = changeMember(job, 'spec', (spec) => ({
    ...changeMember(spec, 'template', (template) => ({
      ...template,
      metadata: withPodLabels(memberOf(template, 'metadata'), labels),
    })),
    manualSelector: false,
    selector: withOwnPods(memberOf(spec, 'selector'), unique),
  }));
  const labelsOfPods = valueAtPath(selecting, 'spec', 'template', 'metadata', 'labels');
  if (hasMembers(valueAtPath(job, 'metadata', 'labels')) || labelsOfPods === undefined) return selecting;
  return changeMember(selecting, 'metadata', (metadata) => ({ ...metadata, labels: labelsOfPods }));
}

/** A selector that is written already selects the pods of the job, too. */
function withOwnPods(selector: JsonValue | undefined, unique: JsonObject): JsonObject {
  const known = isObject(selector) ? selector : {};
  const labels = memberOf(known, 'matchLabels');
  return { ...known, matchLabels: { ...(isObject(labels) ? labels : {}), ...unique } };
}

function withPodLabels(metadata: JsonValue | undefined, labels: JsonObject): JsonObject {
  const known = isObject(metadata) ? metadata : {};
  const own = memberOf(known, 'labels');
  return { ...known, labels: { ...(isObject(own) ? own : {}), ...labels } };
}

const cronJobDefaults = (object: JsonObject): JsonObject =>
  changeMember(fillIn(object, { status: {} }), 'spec', (spec) => {
    const filled = fillIn(spec, {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    return changeMember(filled, 'jobTemplate', (template) =>
      specDefaults(fillIn(template, { metadata: {} }), (inner) =>
        changeMember(inner, 'template', (pod) => fillIn(pod, { metadata: {} })),
      ),
    );
  });

/** Defaults of the kinds that make pods from a template. */
export const workloadDefaults = {
  deployment: deploymentDefaults,
  replicaSet: replicaSetDefaults,
  replicationController: replicationControllerDefaults,
  statefulSet: statefulSetDefaults,
  daemonSet: daemonSetDefaults,
  job: jobDefaults,
  cronJob: cronJobDefaults,
};
