/** What the client of a command hears at its end: a `Status`. */
export function commandStatus(exitCode: number): Uint8Array {
  return Buffer.from(JSON.stringify(exitCode === 0 ? succeededCommand : failedCommand(exitCode)));
}

const succeededCommand = { metadata: {}, status: 'Success' };

const failedCommand = (exitCode: number): object => ({
  metadata: {},
  status: 'Failure',
  message: `command terminated with non-zero exit code: exit status ${exitCode}`,
  reason: 'NonZeroExitCode',
  details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
});
