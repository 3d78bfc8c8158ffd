import { createWriteStream } from 'node:fs';

export type LogSink = { write(line: string): void };

/** Where `LOG_OUTPUT_PATHS` points: `stdout`, `stderr` and files that are appended to, separated by commas. */
export function logSink(paths: string): LogSink {
  const sinks = paths.split(',').filter(Boolean).map(sinkOf);
  return { write: (line) => sinks.forEach((sink) => sink.write(line)) };
}

function sinkOf(path: string): LogSink {
  if (path === 'stdout') return { write: (line) => void process.stdout.write(line) };
  if (path === 'stderr') return { write: (line) => void process.stderr.write(line) };
  const file = createWriteStream(path, { flags: 'a' });
  return { write: (line) => void file.write(line) };
}
