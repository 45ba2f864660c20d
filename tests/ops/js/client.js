// A client as somebody would write it who knows the contract and nothing else.
// Usage: node client.js HOST:PORT FOLDER_OF_PROTOS... Prints one JSON object: what became of each call.
import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';

const [target, ...includeDirs] = process.argv.slice(2);
const files = ['lisboa/v1/advisor.proto', 'lisboa/v1/rules.proto', 'lisboa/v1/server.proto',
  'google/rpc/status.proto', 'google/rpc/error_details.proto'];
const reading = { includeDirs, keepCase: true, longs: Number, enums: String, defaults: true };
const definition = loader.loadSync(files, reading);
const { v1 } = grpc.loadPackageDefinition(definition).lisboa;
const plaintext = grpc.credentials.createInsecure();
const rules = new v1.RulesService(target, plaintext);
const advisor = new v1.AdvisorService(target, plaintext);
const server = new v1.ServerService(target, plaintext);
const within = (seconds) => ({ deadline: Date.now() + 1000 * seconds });

// The reply of a unary call, or what its error says.
const ask = (client, method, request, options = within(60)) => new Promise((resolve) => {
  client[method](request, options, (error, reply) => resolve(error ? { error: told(error) } : reply));
});

// All replies of a stream and its code; onReply may cancel the call.
const follow = (call, onReply = () => {}) => new Promise((resolve) => {
  const replies = [];
  call.on('data', (reply) => { replies.push(reply); onReply(call); });
  call.on('error', () => {}); // the status says it too
  call.on('status', ({ code }) => resolve({ replies, code: grpc.status[code] }));
});

// An error with its google.rpc details by the names of their types.
const told = ({ code, details: message, metadata }) => {
  const details = {};
  for (const packed of metadata.get('grpc-status-details-bin')) {
    for (const { type_url: url, value } of definition['google.rpc.Status'].deserialize(packed).details) {
      const name = url.split('/').pop();
      details[name.split('.').pop()] = definition[name].deserialize(value);
    }
  }
  return { code: grpc.status[code], message, details };
};

const limits = { iterations: 500, seed: 7, threads: 1 };
const { record } = await ask(rules, 'NewGame', { players: 3, seed: 1 });
const { decision, actions } = await ask(rules, 'ListLegalActions', { record });
const state = { record, seat: decision.seat };
const long = { ...state, limits: { time: { seconds: 20 } }, interval: { nanos: 50_000_000 } };

const found = {
  server: await ask(server, 'GetServerInfo', { request_id: 'from node' }),
  legal: actions.map(({ text }) => text),
  advise: await ask(advisor, 'Advise', { ...state, limits, request_id: 'first' }),
  stream: await follow(advisor.StreamAdvice({ ...long, limits: { time: { nanos: 600_000_000 } } }, within(60))),
  left: await follow(advisor.StreamAdvice(long, within(60)), (call) => call.cancel()),
  missing: await ask(advisor, 'Advise', { record, limits, request_id: 'no seat' }),
  illegal: await ask(rules, 'ApplyActions', { record, actions: [{ text: 'store C3 cloth' }] }),
  late: await ask(advisor, 'Advise', long, within(0.5)),
};
console.log(JSON.stringify(found));
for (const client of [rules, advisor, server]) client.close();
