import type { Clock } from '@nodewright/runtime';
import { AwsError } from '../codec/aws-error.ts';
import type { OwnParameter, OwnParameters } from './own-parameters.ts';
import { noSuchVersion } from './parameter-errors.ts';
import type { ParameterTags } from './parameter-tags.ts';
import type { PublicParameters } from './parameters.ts';
import type { PublicParameter } from './release-parameters.ts';

/** Everything that the Parameter Store holds. */
export type ParameterStore = {
  readonly clock: Clock;
  readonly parameters: PublicParameters;
  readonly own: OwnParameters;
  readonly tags: ParameterTags;
};

/** A parameter, and the selector that chose its version: `:3`, `:label`. */
export type FoundParameter = {
  readonly parameter: PublicParameter | OwnParameter;
  readonly selector?: string;
};

/**
 * The parameter of a name or an ARN. A number or a label after a colon chooses a version; public parameters have
 * the present one only.
 * @throws AwsError `ParameterVersionNotFound`
 */
export function lookUp({ clock, parameters, own }: ParameterStore, asked: string): FoundParameter | undefined {
  const [, arnName, plainName, selector] =
    /^(?:arn:[^:]+:ssm:[^:]*:\d*:parameter(\/[^:]+)|([^:]+))(?::([^:]+))?$/.exec(asked) ?? [];
  const name = arnName ?? plainName ?? '';
  const shared = parameters.get(name, clock.now());
  const versions = shared === undefined ? (own.history(name) ?? []) : [shared];
  const parameter = versions.at(-1);
  if (parameter === undefined || selector === undefined) return parameter && { parameter };
  const chosen = versions.find((each) => isChosen(each, selector));
  if (chosen === undefined) throw noSuchVersion(name, selector);
  return { parameter: chosen, selector: `:${selector}` };
}

/** As `lookUp`; a version that is not there counts as a parameter that is not there. */
export function findParameter(store: ParameterStore, asked: string): FoundParameter | undefined {
  try {
    return lookUp(store, asked);
  } catch (error) {
    if (error instanceof AwsError) return undefined;
    throw error;
  }
}

const isChosen = (parameter: PublicParameter | OwnParameter, selector: string): boolean =>
  /^\d+$/.test(selector)
    ? parameter.version === Number(selector)
    : 'labels' in parameter && (parameter.labels?.includes(selector) ?? false);
