import type { FieldReader } from './field-reader.ts';
import { readGiven } from './read-cluster.ts';
import { readAlways, readNever } from './read-rules.ts';
import { readSteps } from './read-steps.ts';
import type { ScenarioCase } from './scenario-file.ts';

export const caseFields = ['name', 'given', 'steps', 'always', 'never'] as const;

const soleCase: ScenarioCase = { name: '', given: [], steps: [], always: [], never: [] };

/** The cases of a scenario; a sole one without a name where none are written. */
export function readCases(field: FieldReader): readonly ScenarioCase[] {
  if (field.isMissing) return [soleCase];
  const cases = field.items('write a list of cases');
  refuseSameNames(cases.map((each) => each.field('name')));
  return cases.flatMap((each) => readCase(each) ?? []);
}

/** Reports and `--filter` tell plays apart by their names. */
export function refuseSameNames(names: readonly FieldReader[]): void {
  const seen = new Map<string, FieldReader>();
  for (const field of names) {
    if (!field.isText) continue;
    const name = String(field.value);
    const first = seen.get(name);
    if (first === undefined) seen.set(name, field);
    else field.refuse(`is "${name}", as in line ${first.place.line}; write another name`);
  }
}

function readCase(field: FieldReader): ScenarioCase | undefined {
  const fields = field.fields(caseFields);
  if (fields === undefined) return undefined;
  return {
    name: fields.name.text('write what is different in this case') ?? '',
    given: readGiven(fields.given),
    steps: readSteps(fields.steps),
    always: readAlways(fields.always),
    never: readNever(fields.never),
  };
}
