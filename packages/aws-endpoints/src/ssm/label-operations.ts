import type {
  LabelParameterVersionRequest,
  LabelParameterVersionResult,
  UnlabelParameterVersionRequest,
  UnlabelParameterVersionResult,
} from '@aws-sdk/client-ssm';
import type { ParameterStore } from './look-up.ts';
import { isParameterLabel } from './parameter-labels.ts';

/** Labels that have not the form of one are told, and the others attached. */
export function labelParameterVersion(
  { own }: ParameterStore,
  { Name: name = '', ParameterVersion: version, Labels: labels = [] }: LabelParameterVersionRequest,
): LabelParameterVersionResult {
  const labelled = own.label(name, labels.filter(isParameterLabel), version);
  return {
    InvalidLabels: labels.filter((label) => !isParameterLabel(label)),
    ParameterVersion: labelled.version,
  };
}

export function unlabelParameterVersion(
  { own }: ParameterStore,
  { Name: name = '', ParameterVersion: version = 0, Labels: labels = [] }: UnlabelParameterVersionRequest,
): UnlabelParameterVersionResult {
  const { labels: before = [] } = own.unlabel(name, labels, version);
  return {
    RemovedLabels: labels.filter((label) => before.includes(label)),
    InvalidLabels: labels.filter((label) => !before.includes(label)),
  };
}
