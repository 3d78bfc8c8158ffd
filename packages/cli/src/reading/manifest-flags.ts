import { parsePlainText } from '../terminal/parsers.ts';

/** The flag `-f FILE|DIR|-`, which may be given several times, for the commands that read manifests. */
export const manifestFlag = (brief: string) =>
  ({
    kind: 'parsed',
    parse: parsePlainText,
    optional: true,
    variadic: true,
    placeholder: 'FILE|DIR|-',
    brief,
  }) as const;

export const manifestAliases = { f: 'file' } as const;
