import type { NodegroupScalingConfig, NodegroupUpdateConfig, Taint } from '@aws-sdk/client-eks';
import { type GroupPlace, invalidParameter } from '../errors.ts';
import type { EksNodeGroup, NodegroupScaling, KeptUpdateConfig } from './node-group.ts';

/** What is asked for over what holds. @throws AwsError when the sizes do not go together */
export function scalingOf(
  asked: NodegroupScalingConfig | undefined,
  before: NodegroupScaling,
  place: GroupPlace,
): NodegroupScaling {
  const min = asked?.minSize ?? before.min;
  const max = asked?.maxSize ?? before.max;
  const desired = asked?.desiredSize ?? before.desired;
  if (min < 0 || max < 1 || desired < 0) {
    throw invalidParameter(
      place,
      `minSize (${min}) and desiredSize (${desired}) must be 0 or more, maxSize (${max}) 1 or more`,
    );
  }
  if (min > desired)
    throw invalidParameter(place, `Minimum capacity ${min} can't be greater than desired size ${desired}`);
  if (desired > max) throw invalidParameter(place, `desired capacity ${desired} can't be greater than max size ${max}`);
  return { min, max, desired };
}

type UpdateConfigBefore = { readonly before: KeptUpdateConfig; readonly maxSize: number };

/**
 * What is asked for over what holds.
 * @throws AwsError when both forms of the parallelism are given, or one is out of bounds
 */
export function readUpdateConfig(
  asked: NodegroupUpdateConfig | undefined,
  { before, maxSize }: UpdateConfigBefore,
  place: GroupPlace,
): KeptUpdateConfig {
  const { maxUnavailable, maxUnavailablePercentage, updateStrategy = before.updateStrategy } = asked ?? {};
  if (maxUnavailable !== undefined && maxUnavailablePercentage !== undefined) {
    throw invalidParameter(place, 'updateConfig takes maxUnavailable or maxUnavailablePercentage, not both');
  }
  for (const [name, value] of Object.entries({ maxUnavailable, maxUnavailablePercentage })) {
    if (value !== undefined && (value < 1 || value > 100)) {
      throw invalidParameter(place, `updateConfig.${name} is ${value}, must be from 1 to 100`);
    }
  }
  if (maxUnavailable !== undefined && maxUnavailable > maxSize)
    throw invalidParameter(place, 'max-unavailable must be within the range 1 and max size of the node group');
  if (updateStrategy !== undefined && !strategies.includes(updateStrategy)) {
    throw invalidParameter(
      place,
      `updateConfig.updateStrategy is ${updateStrategy}, must be one of ${strategies.join(', ')}`,
    );
  }
  const strategy = updateStrategy === undefined ? {} : { updateStrategy };
  if (maxUnavailable !== undefined) return { maxUnavailable, ...strategy };
  if (maxUnavailablePercentage !== undefined) return { maxUnavailablePercentage, ...strategy };
  return { ...before, ...strategy };
}

const strategies = ['DEFAULT', 'MINIMAL'];

const reservedLabelKey = /^([\w.-]+\.)?(kubernetes\.io|k8s\.io|eks\.amazonaws\.com)\//;

const labelForm = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelText = new RegExp(`^${labelForm}$`);

const describeLabelForm = (value: string): string =>
  `Invalid value: ${value} : field must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${labelForm}')`;

/** Checks the values of a new group's labels. An update with such a value fails later. @throws AwsError */
export function checkLabelValues(labels: Readonly<Record<string, string>>, place: GroupPlace): void {
  const misshapen = Object.values(labels).find((value) => !labelText.test(value));
  if (misshapen !== undefined) throw invalidParameter(place, describeLabelForm(misshapen));
}

/** A name with or without a domain before it. */
const labelKey = new RegExp(`^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?${labelForm}$`);

/** Checks the keys of labels. @throws AwsError for one that Kubernetes or EKS keeps from users */
export function checkGroupLabels(labels: Readonly<Record<string, string>>, place: GroupPlace): void {
  for (const key of Object.keys(labels)) {
    if (!labelKey.test(key)) throw invalidParameter(place, describeLabelForm(key));
    if (reservedLabelKey.test(key)) {
      throw invalidParameter(
        place,
        `Label cannot contain reserved prefixes [kubernetes.io/, k8s.io/, eks.amazonaws.com/]: ${key}`,
      );
    }
  }
}

export function checkTaints(taints: readonly Taint[], place: GroupPlace): void {
  if (taints.length > 50) throw invalidParameter(place, `taints: ${taints.length} given, 50 are allowed`);
  const twice = taints.find((taint, at) => taints.findIndex((each) => sameTaint(each, taint)) < at);
  if (twice !== undefined) throw invalidParameter(place, `taint ${twice.key}: given twice with effect ${twice.effect}`);
  const misshapen = taints.find(({ value = '' }) => value !== '' && !labelText.test(value));
  if (misshapen !== undefined) throw invalidParameter(place, describeLabelForm(misshapen.value ?? ''));
}

export const sameTaint = (a: Taint, b: Taint): boolean => a.key === b.key && a.effect === b.effect;

export const groupPlaceOf = (clusterName: string, { name }: Pick<EksNodeGroup, 'name'>): GroupPlace => ({
  clusterName,
  nodegroupName: name,
});
