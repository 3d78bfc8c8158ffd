import { isAge, parseAge } from '@nodewright/apis';
import type { FieldReader } from './field-reader.ts';
import type { ReleaseBehavior, ScenarioAction } from './scenario-file.ts';
import { nearestKey } from '@nodewright/requirements';
import { type NodeBehavior, nodeBehaviors } from '@nodewright/aws-endpoints';

const buildFields = [
  'family',
  'version',
  'variant',
  'arch',
  'kubernetesVersion',
  'imageId',
  'name',
  'behavior',
] as const;

const releaseFamilies = [
  'AL2',
  'AL2023',
  'Bottlerocket',
  'Ubuntu',
  'Windows2019',
  'Windows2022',
  'Windows2025',
] as const;

const findFamily = (text: string): string | undefined =>
  releaseFamilies.find((family) => family.toLowerCase() === text.toLowerCase());

/** A release that comes out, and how its nodes behave. */
export function readBuild(field: FieldReader): ScenarioAction | undefined {
  const fields = field.fields(buildFields, 'write an object such as {family: AL2023, version: v20300101}');
  if (fields === undefined) return undefined;
  const { family, version, behavior, ...others } = fields;
  const found = readImageFamily(family);
  const build = {
    version: version.text('write the version, such as v20300101') ?? '',
    ...optionalTexts(others),
  };
  const behaviors = behavior.oneOrMore().flatMap((each) => readReleaseBehavior(each) ?? []);
  return found === undefined ? undefined : { do: 'release', build: { family: found, ...build }, behaviors };
}

function readImageFamily(field: FieldReader): string | undefined {
  const text = field.text(`write one of ${releaseFamilies.join(', ')}`);
  return text === undefined
    ? undefined
    : (findFamily(text) ?? field.want(`write one of ${releaseFamilies.join(', ')}`));
}

const optionalTexts = (fields: Readonly<Record<string, FieldReader>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const text = field.optionalText();
      return text === undefined ? [] : [[name, text]];
    }),
  );

const behaviorForm = 'write NAME, NAME after 3h, or NAME on 30% of nodes after 3h';

/** `stopsRenewing after 3h`, `notReady on 30% of nodes`, or an object with the same parts. */
function readReleaseBehavior(field: FieldReader): ReleaseBehavior | undefined {
  if (field.isObject) return readBehaviorObject(field);
  const text = field.text(behaviorForm);
  if (text === undefined) return undefined;
  const parts = /^(\w+)(?:\s+on\s+(\d+(?:\.\d+)?)%(?:\s+of\s+nodes)?)?(?:\s+after\s+(\S+))?$/.exec(text.trim());
  if (parts === null) return field.want(behaviorForm);
  const [, name = '', percent, after] = parts;
  if (after !== undefined && !isAge(after)) return field.want(`"${after}" is no duration; ${behaviorForm}`);
  const behavior = readBehaviorName(field, name);
  return behavior && behaviorOf(field, { behavior, percent, after });
}

function readBehaviorObject(field: FieldReader): ReleaseBehavior | undefined {
  const fields = field.fields(['kind', 'after', 'share']);
  if (fields === undefined) return undefined;
  const behavior = readBehaviorName(fields.kind, fields.kind.text() ?? '');
  const afterMs = fields.after.isMissing ? undefined : fields.after.duration();
  const share = fields.share.optionalText('write a share of the nodes in quotes, such as "30%"');
  const percent = share === undefined ? undefined : /^(\d+(?:\.\d+)?)%$/.exec(share)?.[1];
  if (share !== undefined && percent === undefined)
    return fields.share.want('write a share of the nodes, such as "30%"');
  const found = behavior && behaviorOf(fields.share, { behavior, percent, after: undefined });
  return found && { ...found, ...(afterMs !== undefined && { afterMs }) };
}

type WrittenBehavior = {
  readonly behavior: NodeBehavior;
  readonly percent: string | undefined;
  readonly after: string | undefined;
};

function behaviorOf(field: FieldReader, { behavior, percent, after }: WrittenBehavior): ReleaseBehavior | undefined {
  const share = percent === undefined ? 1 : Number(percent) / 100;
  if (!(share > 0 && share <= 1)) return field.want('the share of nodes is above 0% and at most 100%');
  return { behavior, share, ...(after !== undefined && { afterMs: parseAge(after) }) };
}

function readBehaviorName(field: FieldReader, name: string): NodeBehavior | undefined {
  const found = nodeBehaviors.find((each) => each.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const meant = nearestKey(name, nodeBehaviors);
  return field.want(meant === undefined ? `there are ${nodeBehaviors.join(', ')}` : `did you mean ${meant}?`);
}

/** Which releases are taken back or deprecated. */
export function readReleaseChoice(action: 'withdraw' | 'deprecate', field: FieldReader): ScenarioAction | undefined {
  const names = ['family', 'version', 'variant', 'arch', 'kubernetesVersion', 'imageId', 'name', 'keepImage'] as const;
  const fields = field.fields(names, 'write an object such as {family: AL2023, version: v20300101}');
  if (fields === undefined) return undefined;
  const { keepImage, family, ...others } = fields;
  const found = family.isMissing ? undefined : readImageFamily(family);
  const which = { ...(found !== undefined && { family: found }), ...optionalTexts(others) };
  if (Object.keys(which).length === 0) return field.refuse('chooses no release; write family and version');
  if (action === 'withdraw' && keepImage.value === true) return { do: action, which: { ...which, keepImage: true } };
  return { do: action, which };
}
