import type { Clock } from '@nodewright/runtime';
import type { OwnParameter, OwnParameters } from './own-parameters.ts';
import type { PublicParameters } from './parameters.ts';
import type { PublicParameter } from './release-parameters.ts';

/** Everything that the Parameter Store holds. */
export type ParameterStore = {
  readonly clock: Clock;
  readonly parameters: PublicParameters;
  readonly own: OwnParameters;
};

/** The parameter of a name or an ARN, with `:3` behind it only if that is its present version. */
export function lookUp(
  { clock, parameters, own }: ParameterStore,
  asked: string,
): PublicParameter | OwnParameter | undefined {
  const [, arnName, plainName, version] =
    /^(?:arn:[^:]+:ssm:[^:]*:\d*:parameter(\/[^:]+)|([^:]+))(?::(\d+))?$/.exec(asked) ?? [];
  const name = arnName ?? plainName ?? '';
  const found = parameters.get(name, clock.now()) ?? own.get(name) ?? own.get(arnName?.slice(1) ?? '');
  return version !== undefined && Number(version) !== found?.version ? undefined : found;
}
