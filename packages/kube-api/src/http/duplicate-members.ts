import type { JsonValue } from '../schema/json.ts';

/** An object or array that the scan is inside. */
type ScanFrame = {
  readonly path: string;
  /** The members found so far; undefined for an array. */
  readonly members?: Set<string>;
  awaitsKey: boolean;
  /** The path of the next value. */
  next: string;
  index: number;
};

const memberTokens = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/**
 * The paths of repeated members in a valid JSON text, each once: `spec.template`. `JSON.parse` keeps the last one
 * without an error.
 */
export function duplicateMembers(text: string): readonly string[] {
  const found = new Set<string>();
  const frames: ScanFrame[] = [];
  for (const [token] of text.matchAll(memberTokens)) {
    const frame = frames.at(-1);
    if (token === '{' || token === '[') frames.push(frameOf(token, frame?.next ?? ''));
    else if (token === '}' || token === ']') frames.pop();
    else if (token === ',') nextValue(frame);
    else if (frame?.awaitsKey === true) noteMember(frame, JSON.parse(token) as string, found);
  }
  return [...found];
}

function frameOf(token: '{' | '[', path: string): ScanFrame {
  return token === '{'
    ? { path, members: new Set(), awaitsKey: true, next: path, index: 0 }
    : { path, awaitsKey: false, next: `${path}[0]`, index: 0 };
}

function nextValue(frame: ScanFrame | undefined): void {
  if (frame === undefined) return;
  frame.awaitsKey = frame.members !== undefined;
  frame.index += 1;
  if (frame.members === undefined) frame.next = `${frame.path}[${frame.index}]`;
}

function noteMember(frame: ScanFrame, name: string, found: Set<string>): void {
  frame.awaitsKey = false;
  frame.next = frame.path === '' ? name : `${frame.path}.${name}`;
  if (frame.members?.has(name) === true) found.add(frame.next);
  frame.members?.add(name);
}

/** The values of repeated members at the top of a valid JSON text, but the last of each. */
export function overwrittenMembers(text: string): readonly (readonly [name: string, value: JsonValue])[] {
  const values: (readonly [string, JsonValue])[] = [];
  let depth = 0;
  let name: string | undefined;
  let start = 0;
  const endValue = (end: number): void => {
    if (name !== undefined) values.push([name, JSON.parse(text.slice(start, end)) as JsonValue]);
    name = undefined;
  };
  for (const { 0: token, index } of text.matchAll(memberTokens)) {
    if (depth === 1 && (token === ',' || token === '}')) endValue(index);
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && token !== ',' && name === undefined) {
      name = JSON.parse(token) as string;
      start = text.indexOf(':', index + token.length) + 1;
    }
  }
  return values.filter(([each], nth) => values.slice(nth + 1).some(([later]) => later === each));
}
