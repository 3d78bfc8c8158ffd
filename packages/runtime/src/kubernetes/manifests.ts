import type { KubernetesObject } from '@nodewright/apis';
import { type Document, isMap, parseAllDocuments } from 'yaml';
import { findTemplatePart } from './unrendered-template.ts';

/** A manifest cannot be read; the message has a line for every problem in it, with its place. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
  readonly problems: readonly string[];
  /** What the text is: a template that is not rendered, YAML without an object of Kubernetes, or a wrong manifest. */
  readonly kind: 'template' | 'other' | 'wrong';

  constructor(source: string, problems: readonly string[], kind: ManifestError['kind'] = 'wrong') {
    super(problems.map((problem) => `${source}: ${problem}`).join('\n'));
    this.problems = problems;
    this.kind = kind;
  }
}

/** As in `kubectl get -o yaml` of several things. */
type ManifestList = { readonly items?: readonly unknown[] };

/**
 * The objects of a manifest, in their order: YAML 1.1 as kubectl reads it (`yes` is true, `010`
 * is 8) or JSON, several documents, `List`s taken apart. Names, namespaces and fields are not checked.
 * @param source how to call the text in an error, such as its file's name
 * @throws ManifestError naming every document that is no object of Kubernetes
 */
export const parseManifests = (text: string, source = 'manifest'): readonly KubernetesObject[] =>
  parseNumbered(text, source).map(({ object }) => object);

/** An object of a manifest, and the number of the document that it is in, from 1. */
export type NumberedObject = { readonly object: KubernetesObject; readonly document: number };

/** As `parseManifests`, with the documents. */
export function parseNumbered(text: string, source = 'manifest'): readonly NumberedObject[] {
  const documents = parseAllDocuments(text, { version: '1.1', logLevel: 'error' }) as readonly Document[];
  const part = findTemplatePart(text, documents);
  if (part !== undefined) throw new ManifestError(source, [describeTemplate(part)], 'template');
  const problems = documents.flatMap((document, index) => listDocumentProblems(document, index + 1));
  if (problems.length > 0)
    throw new ManifestError(source, problems, documents.some(isObjectOrBroken) ? 'wrong' : 'other');
  return documents.flatMap((document, index) =>
    hasContents(document)
      ? objectsInManifest(document.toJS() as KubernetesObject).map((object) => ({ object, document: index + 1 }))
      : [],
  );
}

const describeTemplate = ({ line, text }: { readonly line: number; readonly text: string }): string =>
  `line ${line} has ${text}: this looks like a Helm template that is not rendered; render it with helm template, and give its output, for instance as -`;

/** Whether it says apiVersion and kind, or is no YAML. */
const isObjectOrBroken = (document: Document): boolean =>
  document.errors.length > 0 ||
  (isMap(document.contents) && ['apiVersion', 'kind'].every((field) => typeof document.get(field) === 'string'));

/** Between two `---` there may be nothing, or a remark. */
const hasContents = (document: Document): boolean => document.toJS() !== null;

function listDocumentProblems(document: Document, position: number): readonly string[] {
  const place = `document ${position}`;
  if (document.errors.length > 0) return document.errors.map(({ message }) => `${place}: ${firstLine(message)}`);
  if (!hasContents(document)) return [];
  if (!isMap(document.contents))
    return [`${place} is ${typeNameOf(document.toJS())}; an object with apiVersion and kind is needed`];
  return ['apiVersion', 'kind']
    .filter((field) => typeof document.get(field) !== 'string')
    .map((field) => `${place}: ${field} is ${JSON.stringify(document.get(field)) ?? 'missing'}; a text is needed`);
}

const firstLine = (message: string): string => message.split('\n')[0]?.replace(/:$/, '') ?? message;

const typeNameOf = (value: unknown): string => (Array.isArray(value) ? 'a list' : `a ${typeof value}`);

function objectsInManifest(object: KubernetesObject & ManifestList): readonly KubernetesObject[] {
  const isList = object.kind?.endsWith('List') === true && Array.isArray(object.items);
  return isList ? (object.items as readonly (KubernetesObject & ManifestList)[]).flatMap(objectsInManifest) : [object];
}
