import { yamlComplaint } from '@nodewright/apis';
import { type Document, isMap, parseAllDocuments } from 'yaml';
import { FieldReader, type FileReading } from './field-reader.ts';
import { readCases, refuseSameNames } from './read-cases.ts';
import { readCluster, readGiven } from './read-cluster.ts';
import { readAlways, readNever } from './read-rules.ts';
import { readSteps } from './read-steps.ts';
import type { ScenarioFile } from './scenario-file.ts';
import { type FileProblem, ScenarioFileError, SourceText } from './source-text.ts';

/** The version of files of kind Scenario. */
export const scenarioVersion = 'nodewright.dev/v1alpha1';

export const scenarioFields = ['cluster', 'given', 'seeds', 'steps', 'always', 'never', 'cases'] as const;

const mostSeeds = 10_000;

/**
 * The scenarios of a file: its documents of kind Scenario. Documents of other kinds are left out.
 * @throws ScenarioFileError with every problem of the file, each with its line and column
 */
export function readScenarios(file: string, text: string): readonly ScenarioFile[] {
  const source = new SourceText(file, text);
  const complaint = yamlComplaint(text);
  if (complaint !== undefined) throw new ScenarioFileError([{ place: source.placeOf(0), message: complaint }]);
  const documents = parseAllDocuments(text, {
    lineCounter: source.lines,
    logLevel: 'error',
  }) as readonly Document.Parsed[];
  const problems: FileProblem[] = documents.flatMap(({ errors }) =>
    errors.map(({ message, pos }) => ({
      place: source.placeOf(pos[0]),
      message: `no YAML: ${message
        .split(/ at line \d+, column \d+:/, 1)
        .join('')
        .split('\n', 1)
        .join('')}${hintForCondition(source.lineOf(pos[0]))}`,
    })),
  );
  if (problems.length > 0) throw new ScenarioFileError(problems);
  const reading: FileReading = { source, problems, misspelt: new Set(), steppedZones: [] };
  const scenarios = documents.filter(isScenario).flatMap((document) => readDocument(reading, document) ?? []);
  refuseSameNames(
    documents.filter(isScenario).map((document) => documentReader(reading, document).field('metadata').field('name')),
  );
  if (problems.length > 0) throw new ScenarioFileError(problems);
  return scenarios;
}

/** What begins with `!` or a quote, or has a colon and a space in it, is no plain text of YAML. */
const hintForCondition = (line: string): string =>
  /\b(?:expect|waitUntil)\s*:|\b(?:nodes|pods|claims|pools|services|instances|evictions|rollouts|groups|events)\.\w+\(/.test(
    line,
  )
    ? '; put the whole condition in quotes'
    : '';

const isScenario = (document: Document.Parsed): boolean =>
  isMap(document.contents) && document.get('kind') === 'Scenario';

const documentReader = (reading: FileReading, { contents }: Document.Parsed): FieldReader =>
  new FieldReader(reading, { node: contents ?? undefined, path: '', offset: contents?.range?.[0] ?? 0 });

function readDocument(reading: FileReading, document: Document.Parsed): ScenarioFile | undefined {
  const root = documentReader(reading, document);
  const fields = root.fields(['apiVersion', 'kind', 'metadata', 'spec']);
  if (fields === undefined) return undefined;
  fields.apiVersion.choice([scenarioVersion]);
  const metadata = fields.metadata.fields(['name', 'annotations', 'labels'], 'write a name');
  const name = metadata?.name.text('write what the scenario shows, such as: a bad image stops at one node');
  const spec = fields.spec.fields(['about', ...scenarioFields]);
  if (spec === undefined) return undefined;
  const about = spec.about.optionalText();
  const cluster = readCluster(spec.cluster);
  reading.zones = cluster.isPlaced ? cluster.zones : [];
  const zonesBefore = reading.steppedZones.length;
  const steps = readSteps(spec.steps);
  const cases = readCases(spec.cases);
  if (spec.steps.isMissing && cases.every((each) => each.steps.length === 0))
    spec.steps.want('write at least one step, such as: - expect: pods.all(p, p.ready)');
  return {
    name: name ?? '',
    file: reading.source.file,
    ...(about !== undefined && { about }),
    cluster,
    steppedZones: reading.steppedZones.slice(zonesBefore),
    given: readGiven(spec.given),
    seeds: spec.seeds.isMissing ? 1 : readSeeds(spec.seeds),
    steps,
    always: readAlways(spec.always),
    never: readNever(spec.never),
    cases,
  };
}

function readSeeds(field: FieldReader): number {
  const count = field.count();
  if (count !== undefined && count > mostSeeds) field.want(`write at most ${mostSeeds}`);
  return count ?? 1;
}
