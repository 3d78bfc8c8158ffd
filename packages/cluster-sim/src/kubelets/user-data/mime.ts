export type ReceivedUserDataPart = { readonly contentType: string; readonly body: string };

/**
 * The parts of a MIME multipart archive as cloud-init reads it, in order. A text that is no archive
 * is one part without a content type.
 */
export function mimeParts(text: string): readonly ReceivedUserDataPart[] {
  const unix = text.replaceAll('\r', '');
  if (!isArchive(unix)) return [{ contentType: '', body: unix }];
  const boundary = /boundary="?([^"\n;]+)"?/i.exec(unix)?.[1];
  if (boundary === undefined) return [];
  const [, ...sections] = `\n${unix}`.split(`\n--${boundary}`);
  return sections.filter((section) => !section.startsWith('--')).map(parseMimePart);
}

const isArchive = (text: string): boolean => /^\s*(MIME-Version|Content-Type):/i.test(text);

function parseMimePart(section: string): ReceivedUserDataPart {
  const [headers = '', ...body] = section.replace(/^\n/, '').split(/\n\n/);
  const contentType = /^Content-Type:\s*([^;\n]+)/im.exec(headers)?.[1]?.trim() ?? '';
  return { contentType, body: body.join('\n\n') };
}
