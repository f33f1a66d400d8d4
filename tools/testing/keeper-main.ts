// The program of the keeper: `node keeper.js ROOT`. What it prints is read by the process that started it, which may end
// sooner.
import { keepCluster } from './cluster/keeper.ts';

const [root] = process.argv.slice(2);
if (root === undefined) throw new Error('The folder of the project is missing.');
process.stdout.on('error', () => undefined);
await keepCluster(root, (report) => process.stdout.write(`${JSON.stringify(report)}\n`));
