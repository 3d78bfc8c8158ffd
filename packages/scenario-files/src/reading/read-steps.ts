import { minutes, seconds } from '@nodewright/apis';
import { nearestKey } from '@nodewright/requirements';
import type { FieldReader } from './field-reader.ts';
import { readFault } from './read-fault.ts';
import { readNodeChoice } from './read-node-choice.ts';
import { readBuild, readReleaseChoice } from './read-release.ts';
import { readApply, readPatch, readDeleteTarget, readScaleStep } from './read-objects.ts';
import type { ScenarioAction, ScenarioFileStep } from './scenario-file.ts';
import { type StepName, stepCompanions, stepNames } from './step-names.ts';

const defaultWaitMs = minutes(15);
const defaultDownMs = seconds(10);

/** The steps of a list, without those that are wrong. */
export const readSteps = (steps: FieldReader): readonly ScenarioFileStep[] =>
  steps.items('write a list of steps').flatMap((step) => readStep(step) ?? []);

function readStep(step: FieldReader): ScenarioFileStep | undefined {
  if (!step.isObject) return step.want(`write a step: ${stepNames.join(', ')}`);
  const names = step.fieldNames();
  const known = stepNames.filter((name) => names.includes(name));
  const [name, another] = known;
  if (name === undefined) return refuseStep(step, names);
  if (another !== undefined) return step.refuse(`has ${name} and ${another}; write one step for each`);
  step.fields([name, ...(stepCompanions[name] ?? [])]);
  const action = actionReaders[name](step);
  return action === undefined
    ? undefined
    : { place: step.place, text: describeStep(name, step.field(name)), ...action };
}

function refuseStep(step: FieldReader, names: readonly string[]): undefined {
  const [first = ''] = names;
  const meant = nearestKey(first, stepNames);
  return step.refuse(
    `has no step "${first}"; ${meant === undefined ? `there are ${stepNames.join(', ')}` : `did you mean ${meant}?`}`,
  );
}

/** A step in one line, for those who read what happened. */
function describeStep(name: StepName, field: FieldReader): string {
  const { value } = field;
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  return `${name}: ${text.length > 100 ? `${text.slice(0, 100)}…` : text}`;
}

type ActionReader = (step: FieldReader) => ScenarioAction | undefined;

const actionReaders: Readonly<Record<StepName, ActionReader>> = {
  waitUntil: (step) => {
    const condition = step.field('waitUntil').condition();
    const within = step.field('within');
    const withinMs = within.isMissing ? defaultWaitMs : within.duration();
    const because = step.field('because').optionalText();
    if (condition === undefined || withinMs === undefined) return undefined;
    return { do: 'waitUntil', condition, withinMs, ...(because !== undefined && { because }) };
  },
  expect: (step) => {
    const condition = step.field('expect').condition();
    const because = step.field('because').optionalText();
    return condition && { do: 'expect', condition, ...(because !== undefined && { because }) };
  },
  advance: (step) => {
    const ms = step.field('advance').duration();
    return ms === undefined ? undefined : { do: 'advance', ms };
  },
  release: (step) => readBuild(step.field('release')),
  withdraw: (step) => readReleaseChoice('withdraw', step.field('withdraw')),
  deprecate: (step) => readReleaseChoice('deprecate', step.field('deprecate')),
  fault: (step) => readFault(step.field('fault')),
  clear: (step) => step.field('clear').choice(['faults']) && { do: 'clear' },
  upgrade: (step) => {
    const field = step.field('upgrade').fields(['controlPlane'])?.controlPlane;
    const version = field?.value;
    if (typeof version === 'string' && /^1\.\d+$/.test(version)) return { do: 'upgrade', controlPlane: version };
    return field?.want('write a Kubernetes minor version in quotes, such as "1.34"');
  },
  updateGroup: (step) => {
    const field = step.field('updateGroup');
    const fields = field.isObject ? field.fields(['group', 'release']) : undefined;
    const group = (fields?.group ?? field).text('write the name of a managed node group');
    const release = fields?.release.optionalText('write a release such as "1.34.1-20251029"');
    return group === undefined ? undefined : { do: 'updateGroup', group, ...(release !== undefined && { release }) };
  },
  kill: (step) => {
    const field = step.field('kill');
    if (!field.isObject) return field.choice(['controller']) && { do: 'kill', downMs: defaultDownMs };
    const fields = field.fields(['controller']);
    const down = fields?.controller.fields(['for'])?.for;
    const downMs = down?.duration();
    return downMs === undefined ? undefined : { do: 'kill', downMs };
  },
  scale: (step) => readScaleStep(step.field('scale')),
  interrupt: (step) => readChosenNodes('interrupt', step),
  terminate: (step) => readChosenNodes('terminate', step),
  cordon: (step) => readChosenNodes('cordon', step),
  uncordon: (step) => readChosenNodes('uncordon', step),
  apply: (step) => readApply(step.field('apply')),
  delete: (step) => {
    const target = readDeleteTarget(step.field('delete'));
    return target && { do: 'delete', target };
  },
  patch: (step) => readPatch(step.field('patch')),
};

function readChosenNodes(
  name: 'interrupt' | 'terminate' | 'cordon' | 'uncordon',
  step: FieldReader,
): ScenarioAction | undefined {
  const nodes = readNodeChoice(step.field(name));
  return nodes && { do: name, nodes };
}
