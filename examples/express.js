// Mounts the API under /api of an Express application, for its signed-in users.
import express from 'express';
import { startService } from 'rowhouse';

const service = await startService({
  options: { dbUri: process.env.DATABASE_URL, dbSchemas: ['api'], dbAnonRole: 'demo_anon' },
});
const app = express();

// Replace this with your session check: here, the cookie identifies the first resident.
app.use((request, _response, next) => {
  request.user = request.get('Cookie') === 'session=open-sesame' ? { id: 1 } : undefined;
  next();
});

const api = service.createNodeHandler({
  authenticate: ({ user }) => user && { role: 'demo_user', claims: { resident_id: user.id } },
});
app.use('/api', api);

// Install body parsers after the API.
app.use(express.json());
app.get('/', (_request, response) => response.send('Lantern Row\n'));

app.listen(process.env.PORT ?? 3000);
