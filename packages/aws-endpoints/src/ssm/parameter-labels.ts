import { AwsError } from '../codec/aws-error.ts';

/** As many labels as a version may have. */
const mostLabels = 10;

/** Whether a label has the form that labels must have. */
export const isParameterLabel = (label: string): boolean => /^(?!\d|aws|ssm)[\w.-]+$/i.test(label);

type LabelledVersion = { readonly version: number; readonly labels?: readonly string[] };

/** The versions with the labels at one of them and nowhere else. @throws AwsError `ParameterVersionLabelLimitExceeded` */
export function withLabels<T extends LabelledVersion>(
  versions: readonly T[],
  version: number,
  labels: readonly string[],
): readonly T[] {
  return versions.map((each) => {
    const own = each.labels ?? [];
    if (each.version !== version)
      return setLabels(
        each,
        own.filter((label) => !labels.includes(label)),
      );
    const all = [...new Set([...own, ...labels])];
    if (all.length > mostLabels)
      throw new AwsError(
        'ParameterVersionLabelLimitExceeded',
        `A parameter version can have maximum ${mostLabels} labels. Move one or more labels to another version and try again.`,
      );
    return setLabels(each, all);
  });
}

export const withoutParameterLabels = <T extends LabelledVersion>(
  versions: readonly T[],
  version: number,
  labels: readonly string[],
): readonly T[] =>
  versions.map((each) =>
    each.version === version
      ? setLabels(
          each,
          (each.labels ?? []).filter((label) => !labels.includes(label)),
        )
      : each,
  );

function setLabels<T extends LabelledVersion>(version: T, labels: readonly string[]): T {
  const { labels: _before, ...rest } = version;
  return (labels.length === 0 ? rest : { ...rest, labels }) as T;
}
