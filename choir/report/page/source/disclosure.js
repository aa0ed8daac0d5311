// What left the nodes, in words and strictly from the ledger: every sentence is backed by a count.
import {bytes, capitalised, count, plural, some} from './format.js';
import {listOf, objectOf, total} from './run.js';

const sentBytes = (sent) => total([sent?.bytes]);

function kindSentences(run, kinds, whose) {
  return kinds.map(([key, sent]) => {
    const {name, tells} = run.kind(key);
    return `${capitalised(name)}, ${bytes(sentBytes(sent))} in ${plural(sent.messages ?? 0, 'message')}${whose}: ${tells}.`;
  });
}

function rawSentence(run, counts) {
  const raw = objectOf(counts.raw_samples);
  if (sentBytes(raw) === 0) return `No message of any ${run.someone} held raw samples.`;
  return `Raw samples left their ${run.several}: ${bytes(sentBytes(raw))} in ${plural(raw.messages ?? 0, 'message')}.`;
}

function rawEquivalent(run) {
  const nodes = listOf(run.result.raw_equivalent);
  if (nodes.length === 0) return [];
  const words =
    nodes.length === 1
      ? `Party ${nodes[0]} sent as many vectors as it has features`
      : `Parties ${some(nodes)} sent as many vectors as they have features`;
  return [`${words}. This reveals the features up to a rotation, so the ledger counts the vectors as raw samples.`];
}

function masks(run) {
  if (run.result.masked === true)
    return [
      'Devices hid their sums behind masks that cancel in the total: the server saw only totals, never the sum of a single device.',
    ];
  if (run.result.masked === false && run.hasServer) return ['Sums were not masked: the server saw the sum of every device.'];
  return [];
}

// {verdict, clean (whether no raw sample was sent), sentences}
export function disclosure(run) {
  if (!run.hasLedger) {
    return {verdict: 'It is unknown what left the nodes: the run has no ledger.', clean: false, sentences: []};
  }
  const all = objectOf(run.ledger.by_kind);
  const sent = total([run.ledger.bytes, ...Object.values(all).map(sentBytes)]);
  if (sent === 0)
    return {
      verdict: run.nodes > 1 ? 'Nothing left any node.' : 'Nothing was sent: all samples were in one place.',
      clean: true,
      sentences: [],
    };
  if (Object.keys(all).length === 0) {
    return {
      verdict: `${bytes(sent)} left the nodes in ${plural(run.ledger.messages ?? 0, 'message')} of unknown kind.`,
      clean: false,
      sentences: [],
    };
  }
  if (run.result.sent_by_devices) return federation(run);
  return {
    verdict: rawSentence(run, all),
    clean: sentBytes(all.raw_samples) === 0,
    sentences: [
      ...kindSentences(
        run,
        run.kinds().filter(([key]) => key !== 'raw_samples'),
        '',
      ),
      ...rawEquivalent(run),
    ],
  };
}

// The server holds no data: what it passes on came from devices, so it is counted apart from what they sent.
function federation(run) {
  const devices = objectOf(run.result.sent_by_devices);
  const server = objectOf(run.result.sent_by_server);
  const kinds = run.kinds(devices).filter(([key]) => key !== 'raw_samples');
  const clean = sentBytes(devices.raw_samples) === 0 && sentBytes(objectOf(run.ledger.by_kind).raw_samples) === 0;
  const verdict =
    clean || sentBytes(devices.raw_samples) > 0
      ? rawSentence(run, devices)
      : rawSentence(run, objectOf(run.ledger.by_kind));
  const passedOn =
    sentBytes(server) > 0
      ? [
          `The server, which has no data of its own, sent ${bytes(sentBytes(server))} in ` +
            `${plural(server.messages ?? 0, 'message')} to ${count(run.nodes)} devices.`,
        ]
      : [];
  return {verdict, clean, sentences: [...kindSentences(run, kinds, ' from devices'), ...passedOn, ...masks(run)]};
}
