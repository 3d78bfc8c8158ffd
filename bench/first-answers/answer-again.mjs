/**
 * Runs a command of the build as a person does, then again and again in the same process, and prints processor
 * milliseconds as JSON on stderr: of the whole process up to the first answer, and of each later answer.
 * Arguments: the launcher, the built command, how often again, and the words of the command.
 */
const [launcher = '', built = '', times = '0', ...words] = process.argv.slice(2);
process.argv = [process.execPath, launcher, ...words];

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

await import(launcher);
const first = cpuMs();
const again = [];
for (let time = 1; time <= Number(times); time++) {
  const begun = cpuMs();
  // Only the start of the command runs anew: the modules that it loads are kept.
  await import(`${built}?again=${time}`);
  again.push(cpuMs() - begun);
}
process.stderr.write(`${JSON.stringify({ first, again })}\n`);
