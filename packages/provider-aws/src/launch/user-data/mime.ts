export type UserDataPart = { readonly headers: readonly string[]; readonly body: string };

const boundary = '//';

export const buildMimePart = (contentType: string, body: string): UserDataPart => ({
  headers: [`Content-Type: ${contentType}`],
  body,
});

export const shellPart = (body: string): UserDataPart => buildMimePart('text/x-shellscript; charset="us-ascii"', body);

/** A multipart archive as cloud-init reads it. */
export function mimeArchive(parts: readonly UserDataPart[]): string {
  const sections = parts.map(
    ({ headers, body }) => `--${boundary}\n${headers.join('\n')}\n\n${body.replace(/\n*$/, '\n')}`,
  );
  return `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="${boundary}"\n\n${sections.join('\n')}\n--${boundary}--\n`;
}

export const isMimeArchive = (text: string): boolean => /^\s*(MIME-Version|Content-Type):/.test(text);

/**
 * The parts of an archive, with their headers.
 * @throws SyntaxError when it names no boundary or has no part
 */
export function parseMime(text: string): readonly UserDataPart[] {
  const unix = text.replaceAll('\r', '').trimStart();
  const found = /boundary="?([^"\n;]+)"?/i.exec(unix)?.[1];
  if (found === undefined) throw new SyntaxError('userData is a MIME archive without a boundary');
  const sections = unix.split(new RegExp(`^--${escapePattern(found)}(?:--)?[ \\t]*$`, 'm')).slice(1);
  const parts = sections.map((section) => section.replace(/^\n/, '')).filter((section) => section.trim() !== '');
  if (parts.length === 0) throw new SyntaxError('userData is a MIME archive without a part');
  return parts.map(parsePart);
}

function parsePart(section: string): UserDataPart {
  const end = section.indexOf('\n\n');
  if (end < 0) throw new SyntaxError('userData is a MIME archive with a part that has no body');
  return { headers: section.slice(0, end).split('\n'), body: section.slice(end + 2).replace(/\n$/, '') };
}

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
