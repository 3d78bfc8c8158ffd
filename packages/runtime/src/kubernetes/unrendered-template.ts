import { type Document, isCollection, visit } from 'yaml';

/** What stands between the braces of a template, and the line that it is on. */
type TemplatePart = { readonly line: number; readonly text: string };

/**
 * The part of a Helm template, or of another one with double braces, that makes documents something else than manifests:
 * it breaks YAML, it is read as a map, or it stands for the name of an object or for a value of Karpenter's kinds. Double braces
 * in texts, as alert rules have them, are none.
 */
export function findTemplatePart(text: string, documents: readonly Document[]): TemplatePart | undefined {
  if (!text.includes('{{')) return undefined;
  const isBroken = documents.some(({ errors }) => errors.length > 0);
  const bare = isBroken ? findPart(text, /^[^#'"]*?(\{\{.*)$/) : undefined;
  if (bare !== undefined) return bare;
  return documents.some((document) => hasMapAsKey(document) || hasTemplateValue(document))
    ? findPart(text, /(\{\{.*)$/)
    : undefined;
}

function findPart(text: string, pattern: RegExp): TemplatePart | undefined {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => pattern.test(line));
  const [, rest = ''] = pattern.exec(lines[at] ?? '') ?? [];
  const end = rest.indexOf('}}');
  return at === -1 ? undefined : { line: at + 1, text: end === -1 ? rest : rest.slice(0, end + 2) };
}

/** YAML reads `{{ x }}` as a map whose key is a map. */
function hasMapAsKey(document: Document): boolean {
  let isFound = false;
  visit(document, {
    Pair: (_at, { key }) => {
      isFound ||= isCollection(key);
      return isFound ? visit.BREAK : undefined;
    },
  });
  return isFound;
}

function hasTemplateValue(document: Document): boolean {
  const name = document.getIn(['metadata', 'name']);
  if (typeof name === 'string' && name.includes('{{')) return true;
  if (!/^karpenter\.(sh|k8s\.aws)\//.test(String(document.get('apiVersion')))) return false;
  const { spec } = document.toJS() as { readonly spec?: { readonly userData?: unknown } };
  return JSON.stringify({ ...spec, userData: undefined }).includes('{{');
}
