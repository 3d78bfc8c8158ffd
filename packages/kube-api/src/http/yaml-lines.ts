/** A line is broken at the first blank that is further right than this. */
const widestLine = 80;

const wholeLine =
  /^(?<start>(?: *)(?:- )*)(?<key>(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^"'\s](?:[^:]|:(?! ))*): )?(?<value>.*)$/;
const blockScalar = /(?:^|: |- )[|>][+-]?\d*$/;

/** Breaks the long texts of a YAML document where a real server does. The lines of block scalars stay. */
export function breakLongTexts(yaml: string): string {
  let block = -1;
  const lines = yaml.split('\n').map((line) => {
    const indent = line.length - line.trimStart().length;
    if (block >= 0 && (line === '' || indent > block)) return line;
    block = blockScalar.test(line) ? indent : -1;
    return block >= 0 || line.length <= widestLine ? line : brokenLine(line, indent);
  });
  return lines.join('\n');
}

function brokenLine(line: string, indent: number): string {
  const { start = '', key = '', value = '' } = wholeLine.exec(line)?.groups ?? {};
  const inner = key === '' ? indent : start.length;
  return brokenText(
    { text: value, column: start.length + key.length, indent: ' '.repeat(inner + 2) },
    `${start}${key}`,
  );
}

type LongText = { readonly text: string; readonly column: number; readonly indent: string };

function brokenText({ text, column, indent }: LongText, head: string): string {
  const isDouble = text.startsWith('"');
  let [written, at] = [head, column];
  for (let index = 0; index < text.length; index += 1) {
    const isBreak =
      text[index] === ' ' &&
      at > widestLine &&
      text[index - 1] !== ' ' &&
      index < text.length - 1 &&
      (isDouble || text[index + 1] !== ' ');
    if (isBreak) {
      const escape = isDouble && text[index + 1] === ' ' ? '\\' : '';
      written += `\n${indent}${escape}`;
      at = indent.length + escape.length;
    } else {
      written += text[index] ?? '';
      at += 1;
    }
  }
  return written;
}
