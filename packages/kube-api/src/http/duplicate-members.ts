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
