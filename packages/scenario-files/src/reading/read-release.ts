import { imageArchitectures, imageVariants } from '@nodewright/aws-endpoints';
import { releaseFamilies } from '@nodewright/aws-endpoints/release-kinds';
import { nearestKey } from '@nodewright/requirements';
import type { FieldReader } from './field-reader.ts';
import { readReleaseBehavior } from './read-behavior.ts';
import type { ScenarioAction } from './scenario-file.ts';

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

const findFamily = (text: string): string | undefined =>
  releaseFamilies.find((family) => family.toLowerCase() === text.toLowerCase());

/** A release that comes out, and how its nodes behave. */
export function readBuild(field: FieldReader): ScenarioAction | undefined {
  const fields = field.fields(buildFields, 'write an object such as {family: AL2023, version: v20300101}');
  if (fields === undefined) return undefined;
  const { family, version, behavior, variant, arch, ...others } = fields;
  const found = readImageFamily(family);
  const build = {
    version: version.text('write the version, such as v20300101') ?? '',
    ...(!variant.isMissing && { variant: variant.choice(imageVariants) ?? '' }),
    ...(!arch.isMissing && { arch: arch.choice(imageArchitectures) ?? '' }),
    ...optionalTexts(others),
  };
  const behaviors = behavior.oneOrMore().flatMap((each) => readReleaseBehavior(each) ?? []);
  return found === undefined ? undefined : { do: 'release', build: { family: found, ...build }, behaviors };
}

function readImageFamily(field: FieldReader): string | undefined {
  const text = field.text(`write one of ${releaseFamilies.join(', ')}`);
  if (text === undefined) return undefined;
  const meant = nearestKey(text, releaseFamilies);
  const remedy = meant === undefined ? `write one of ${releaseFamilies.join(', ')}` : `did you mean ${meant}?`;
  return findFamily(text) ?? field.want(remedy);
}

const optionalTexts = (fields: Readonly<Record<string, FieldReader>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const text = field.optionalText();
      return text === undefined ? [] : [[name, text]];
    }),
  );

/** Which releases are taken back or deprecated. */
export function readReleaseChoice(action: 'withdraw' | 'deprecate', field: FieldReader): ScenarioAction | undefined {
  const names = ['family', 'version', 'variant', 'arch', 'kubernetesVersion', 'imageId', 'name', 'keepImage'] as const;
  const fields = field.fields(names, 'write an object such as {family: AL2023, version: v20300101}');
  if (fields === undefined) return undefined;
  const { keepImage, family, ...others } = fields;
  const found = family.isMissing ? undefined : readImageFamily(family);
  const which = { ...(found !== undefined && { family: found }), ...optionalTexts(others) };
  if (Object.keys(which).length === 0)
    return field.hasMisspelt ? undefined : field.refuse('chooses no release; write family and version');
  if (action === 'withdraw' && keepImage.value === true) return { do: action, which: { ...which, keepImage: true } };
  return { do: action, which };
}
