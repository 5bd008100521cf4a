BEGIN TRANSACTION;
CREATE TABLE accounts (
	id VARCHAR(24) NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	name VARCHAR(20), 
	"key" VARCHAR(60), 
	look VARCHAR(60), 
	short VARCHAR(20), 
	password VARCHAR(200), 
	owner VARCHAR(24), 
	guardian VARCHAR(24), 
	made_ms BIGINT NOT NULL, 
	locked_ms BIGINT, 
	deleted_ms BIGINT, 
	PRIMARY KEY (id), 
	UNIQUE ("key"), 
	UNIQUE (look), 
	FOREIGN KEY(owner) REFERENCES accounts (id), 
	FOREIGN KEY(guardian) REFERENCES accounts (id)
);
INSERT INTO "accounts" ("id","kind","name","key","look","short","password","owner","guardian","made_ms","locked_ms","deleted_ms") VALUES('Mcdlpy1f0ebc4BooRq_PUg','account','Asel','asel','asel',NULL,'$argon2id$v=19$m=19456,t=2,p=1$nc9NAxqfzg9xaRUssYDHbA$+xfDP5W/xHG7ZBrWNddoqjl1stSEP+s4xb/CXXKlZwo',NULL,NULL,1795459194915,NULL,NULL);
INSERT INTO "accounts" ("id","kind","name","key","look","short","password","owner","guardian","made_ms","locked_ms","deleted_ms") VALUES('aofX7YIFt6JLZS28Wuk3DQ','child','Kichine','kichine','kichine','Ki.','$argon2id$v=19$m=19456,t=2,p=1$sT7oamIziH3QzZ+z7TJZ6Q$5zPBdkwo/64vMJHQCQ8Oq1RRQt6J5tTt+2mgkSpquQI',NULL,'Mcdlpy1f0ebc4BooRq_PUg',1795459195233,NULL,NULL);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" ("version_num") VALUES('0014');
CREATE TABLE attendance (
	game_id VARCHAR(12) NOT NULL, 
	process VARCHAR(12) NOT NULL, 
	white_lag_ms INTEGER, 
	black_lag_ms INTEGER, 
	white_silent_ms BIGINT, 
	black_silent_ms BIGINT, 
	watchers INTEGER NOT NULL, 
	PRIMARY KEY (game_id, process), 
	FOREIGN KEY(game_id) REFERENCES games (id)
);
CREATE TABLE blocks (
	account VARCHAR(24) NOT NULL, 
	blocked VARCHAR(24) NOT NULL, 
	at_ms BIGINT NOT NULL, 
	PRIMARY KEY (account, blocked), 
	FOREIGN KEY(account) REFERENCES accounts (id)
);
CREATE TABLE ceremonies (
	id VARCHAR(64) NOT NULL, 
	account VARCHAR(24), 
	challenge VARCHAR(90) NOT NULL, 
	expires_ms BIGINT NOT NULL, opens VARCHAR(24), 
	PRIMARY KEY (id), 
	FOREIGN KEY(account) REFERENCES accounts (id)
);
CREATE TABLE challenges (
	id VARCHAR(12) NOT NULL, 
	maker VARCHAR(24) NOT NULL, 
	game VARCHAR(20) NOT NULL, 
	rules TEXT, 
	clock VARCHAR(40) NOT NULL, 
	side VARCHAR(6) NOT NULL, 
	conduct VARCHAR(12) NOT NULL, 
	start TEXT, 
	rated SMALLINT NOT NULL, 
	delay_s INTEGER NOT NULL, 
	way VARCHAR(5) NOT NULL, 
	addressee VARCHAR(24) NOT NULL, 
	expires_ms BIGINT NOT NULL, 
	state VARCHAR(9) NOT NULL, 
	"by" VARCHAR(24) NOT NULL, 
	reason VARCHAR(12), 
	result VARCHAR(12), waits_ms BIGINT, 
	PRIMARY KEY (id)
);
INSERT INTO "challenges" ("id","maker","game","rules","clock","side","conduct","start","rated","delay_s","way","addressee","expires_ms","state","by","reason","result","waits_ms") VALUES('dyUrV0g6S73x','lqB0Ft8InoFwIXOoSOAtTA','toguz',NULL,'10+5','white','friendly',NULL,0,0,'link','',1796027408959,'accepted','u77oo9vpfjmdKoLMZNvw7w',NULL,'NwwzZaPmbTHs',NULL);
INSERT INTO "challenges" ("id","maker","game","rules","clock","side","conduct","start","rated","delay_s","way","addressee","expires_ms","state","by","reason","result","waits_ms") VALUES('SHWQZVhJFyvN','lqB0Ft8InoFwIXOoSOAtTA','toguz',NULL,'3d','white','friendly',NULL,0,0,'link','',1796027409053,'accepted','u77oo9vpfjmdKoLMZNvw7w',NULL,'o58FeWIDC9Pf',NULL);
INSERT INTO "challenges" ("id","maker","game","rules","clock","side","conduct","start","rated","delay_s","way","addressee","expires_ms","state","by","reason","result","waits_ms") VALUES('jnbmfk2oujEa','lqB0Ft8InoFwIXOoSOAtTA','toguz',NULL,'1d','random','friendly',NULL,0,0,'lobby','',1796632209312,'open','',NULL,NULL,NULL);
CREATE TABLE class_answers (
	class_id VARCHAR(8) NOT NULL, 
	question INTEGER NOT NULL, 
	member INTEGER NOT NULL, 
	answer VARCHAR(12) NOT NULL, 
	correct SMALLINT NOT NULL, 
	PRIMARY KEY (class_id, question, member), 
	FOREIGN KEY(class_id) REFERENCES classes (id)
);
CREATE TABLE class_members (
	class_id VARCHAR(8) NOT NULL, 
	number INTEGER NOT NULL, 
	who VARCHAR(24) NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	look VARCHAR(120) NOT NULL, 
	joined_ms BIGINT NOT NULL, 
	PRIMARY KEY (class_id, number), 
	FOREIGN KEY(class_id) REFERENCES classes (id)
);
CREATE TABLE class_results (
	class_id VARCHAR(8) NOT NULL, 
	member INTEGER NOT NULL, 
	id VARCHAR(40) NOT NULL, 
	task INTEGER NOT NULL, 
	part SMALLINT NOT NULL, 
	value INTEGER NOT NULL, 
	at_ms BIGINT NOT NULL, 
	PRIMARY KEY (class_id, member, id), 
	FOREIGN KEY(class_id) REFERENCES classes (id)
);
CREATE TABLE class_tasks (
	class_id VARCHAR(8) NOT NULL, 
	number INTEGER NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	what VARCHAR(40) NOT NULL, 
	puzzles TEXT NOT NULL, 
	made_ms BIGINT NOT NULL, 
	PRIMARY KEY (class_id, number), 
	FOREIGN KEY(class_id) REFERENCES classes (id)
);
CREATE TABLE classes (
	id VARCHAR(8) NOT NULL, 
	trainer VARCHAR(24) NOT NULL, 
	name VARCHAR(60) NOT NULL, 
	game VARCHAR(20) NOT NULL, 
	language VARCHAR(2) NOT NULL, 
	code VARCHAR(8), 
	code_until_ms BIGINT NOT NULL, 
	made_ms BIGINT NOT NULL, 
	ends_ms BIGINT NOT NULL, 
	shown SMALLINT NOT NULL, 
	running INTEGER, 
	drill TEXT, 
	PRIMARY KEY (id), 
	UNIQUE (code)
);
CREATE TABLE competition_log (
	competition VARCHAR(8) NOT NULL, 
	at BIGINT NOT NULL, 
	time VARCHAR(20) NOT NULL, 
	"by" TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	action TEXT NOT NULL, 
	chain VARCHAR(64) NOT NULL, 
	details TEXT NOT NULL, 
	who VARCHAR(24) NOT NULL, 
	command VARCHAR(40), 
	PRIMARY KEY (competition, at), 
	FOREIGN KEY(competition) REFERENCES competitions (id)
);
INSERT INTO "competition_log" ("competition","at","time","by","reason","action","chain","details","who","command") VALUES('mzyeb6z4',1,'2026-11-23T18:39:55Z','Asel','','{"do":"open","settings":{"name":"Cup of the fixtures","rounds":3,"system":"round-robin"}}','5666e66e1cc8cff4868245b5a65084b5d71a5eb7f3d2195d2b7bc4703311ffda','','Mcdlpy1f0ebc4BooRq_PUg',NULL);
INSERT INTO "competition_log" ("competition","at","time","by","reason","action","chain","details","who","command") VALUES('mzyeb6z4',2,'2026-11-23T18:39:55Z','Asel','','{"do":"enter","entry":{"rating":2100},"sealed":{"entry":"05bc3be87309f3099ba931485e71e2dbd80d23a63b743a8252b370dbd4912069"}}','1cff7b9b1aace8e2b889dee0d8a324c536d2a1d52881d4d4f365d76a5f325946','{"entry":["0146e54b7e4f2ee53edbee1b8d7f0f7c",{"family":"Асанов","given":"Бек","born":1990}]}','Mcdlpy1f0ebc4BooRq_PUg',NULL);
INSERT INTO "competition_log" ("competition","at","time","by","reason","action","chain","details","who","command") VALUES('mzyeb6z4',3,'2026-11-23T18:39:55Z','Asel','','{"do":"enter","entry":{"rating":2000},"sealed":{"entry":"60113404d8a53a5d6dba39eb3c4073eb24447931248e3031e7158a10cf43aab4"}}','6a0a846e6f4a46125a21231f0029f8b4570e41e388603cc3e39ae8e89a8467f6','{"entry":["57e41f937a1c9a6f9bc327afe75081e5",{"family":"Ким","given":"Виктор","born":1985}]}','Mcdlpy1f0ebc4BooRq_PUg',NULL);
INSERT INTO "competition_log" ("competition","at","time","by","reason","action","chain","details","who","command") VALUES('mzyeb6z4',4,'2026-11-23T18:39:55Z','Asel','','{"do":"enter","entry":{"rating":1900},"sealed":{"entry":"acd39bd8fd950ee93d504e9be4ceb80d0b08899cff7bbb5505f4533b1f10156b"}}','b8bf65076c2b89bcc70001ecdce1e973901f4829b5ea5bbf04caade7832e11c0','{"entry":["5fae8048c26672751069826e911f03c2",{"family":"Smith","given":"Jane","born":2014}]}','Mcdlpy1f0ebc4BooRq_PUg',NULL);
INSERT INTO "competition_log" ("competition","at","time","by","reason","action","chain","details","who","command") VALUES('mzyeb6z4',5,'2026-11-23T18:39:55Z','Asel','','{"do":"enter","entry":{"rating":1800},"sealed":{"entry":"229fb28484c01d743956e5b782e25a278bc220aac386036fd94ef5f7a66f8280"}}','32dbf6f0ef8777a132da25961ca3c63e72c16c4fefcab864c7e74a2dc78ccb55','{"entry":["057effa81a02187e4d20f108cf5bd450",{"family":"Yılmaz","given":"Ali","born":1999}]}','Mcdlpy1f0ebc4BooRq_PUg',NULL);
INSERT INTO "competition_log" ("competition","at","time","by","reason","action","chain","details","who","command") VALUES('mzyeb6z4',6,'2026-11-23T18:39:55Z','Asel','','{"do":"seed","order":[1,4,2,3],"white":false,"lot":"fixture"}','22eab2ca14915565f85a45e02a26273d6a8ff6eed865042e1e4b2ed64119000a','','Mcdlpy1f0ebc4BooRq_PUg',NULL);
INSERT INTO "competition_log" ("competition","at","time","by","reason","action","chain","details","who","command") VALUES('mzyeb6z4',7,'2026-11-23T18:39:55Z','Asel','','{"do":"pair","round":1,"games":[{"board":1,"white":1,"black":3},{"board":2,"white":4,"black":2}],"engine":"korgool Berger tables"}','6f5047893aaf7222f5e7f7174b9a67686cf3585354d1fbb7baf14cb787133384','','Mcdlpy1f0ebc4BooRq_PUg',NULL);
INSERT INTO "competition_log" ("competition","at","time","by","reason","action","chain","details","who","command") VALUES('mzyeb6z4',8,'2026-11-23T18:39:55Z','Asel','','{"do":"result","round":1,"board":1,"result":{"white":2,"black":0,"stores":[82,60]}}','ecc4966ef07f49d80ddcea7c5fa9816e6145daf853e06aa5a3993769d35113d6','','Mcdlpy1f0ebc4BooRq_PUg',NULL);
INSERT INTO "competition_log" ("competition","at","time","by","reason","action","chain","details","who","command") VALUES('mzyeb6z4',9,'2026-11-23T18:39:55Z','Asel','','{"do":"result","round":1,"board":2,"result":{"white":1,"black":1,"stores":[81,81]}}','7d0c01f90dfc164bf86d20e5c8eff9d4b9faecf753d27b28bb573dbc8e2113d4','','Mcdlpy1f0ebc4BooRq_PUg',NULL);
CREATE TABLE competition_personal (
	competition VARCHAR(8) NOT NULL, 
	player INTEGER NOT NULL, 
	data TEXT NOT NULL, 
	PRIMARY KEY (competition, player), 
	FOREIGN KEY(competition) REFERENCES competitions (id)
);
CREATE TABLE competition_roles (
	id VARCHAR(16) NOT NULL, 
	competition VARCHAR(8) NOT NULL, 
	account VARCHAR(24), 
	link VARCHAR(64), 
	code VARCHAR(64), 
	role VARCHAR(12) NOT NULL, 
	first_board INTEGER, 
	last_board INTEGER, 
	name VARCHAR(60) NOT NULL, 
	made_ms BIGINT NOT NULL, 
	until_ms BIGINT, 
	ended_ms BIGINT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(competition) REFERENCES competitions (id), 
	UNIQUE (link), 
	UNIQUE (code)
);
INSERT INTO "competition_roles" ("id","competition","account","link","code","role","first_board","last_board","name","made_ms","until_ms","ended_ms") VALUES('GS2HyLmFN7ou','mzyeb6z4','Mcdlpy1f0ebc4BooRq_PUg',NULL,NULL,'organiser',NULL,NULL,'Asel',1795459195331,NULL,NULL);
CREATE TABLE competitions (
	id VARCHAR(8) NOT NULL, 
	made_ms BIGINT NOT NULL, 
	maker VARCHAR(24) NOT NULL, 
	public SMALLINT NOT NULL, 
	seq BIGINT NOT NULL, 
	changed_ms BIGINT NOT NULL, 
	name TEXT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "competitions" ("id","made_ms","maker","public","seq","changed_ms","name") VALUES('mzyeb6z4',1795459195304,'Mcdlpy1f0ebc4BooRq_PUg',1,9,1795459195552,'Cup of the fixtures');
CREATE TABLE competition_leads (
	competition VARCHAR(8) NOT NULL, 
	home TEXT NOT NULL, 
	peers TEXT NOT NULL, 
	leader TEXT NOT NULL, 
	strays TEXT NOT NULL, 
	PRIMARY KEY (competition), 
	FOREIGN KEY(competition) REFERENCES competitions (id)
);
CREATE TABLE competition_stand_bys (
	id VARCHAR(16) NOT NULL, 
	competition VARCHAR(8) NOT NULL, 
	token VARCHAR(64), 
	name VARCHAR(60) NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	address TEXT NOT NULL, 
	made_ms BIGINT NOT NULL, 
	ended_ms BIGINT, 
	line BIGINT NOT NULL, 
	seen_ms BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(competition) REFERENCES competitions (id), 
	UNIQUE (token)
);
CREATE TABLE consents (
	child VARCHAR(24) NOT NULL, 
	guardian VARCHAR(24) NOT NULL, 
	at_ms BIGINT NOT NULL, 
	wording VARCHAR(20) NOT NULL, 
	withdrawn_ms BIGINT, 
	PRIMARY KEY (child), 
	FOREIGN KEY(child) REFERENCES accounts (id), 
	FOREIGN KEY(guardian) REFERENCES accounts (id)
);
INSERT INTO "consents" ("child","guardian","at_ms","wording","withdrawn_ms") VALUES('aofX7YIFt6JLZS28Wuk3DQ','Mcdlpy1f0ebc4BooRq_PUg',1795459195233,'2026-11',NULL);
CREATE TABLE evaluations (
	game_id VARCHAR(12) NOT NULL, 
	payload TEXT NOT NULL, 
	PRIMARY KEY (game_id), 
	FOREIGN KEY(game_id) REFERENCES games (id)
);
INSERT INTO "evaluations" ("game_id","payload") VALUES('gMjIjiNCZtWS','[{"ply":0,"evaluation":-0.91},{"ply":1,"evaluation":-0.0},{"ply":2,"evaluation":0.28},{"ply":3,"evaluation":-1.0},{"ply":4,"evaluation":1.19},{"ply":5,"evaluation":0.22},{"ply":6,"evaluation":-0.16},{"ply":7,"evaluation":-4.16},{"ply":8,"evaluation":3.59},{"ply":9,"evaluation":3.25},{"ply":10,"evaluation":11.59},{"ply":11,"evaluation":12.0},{"ply":12,"evaluation":12.75},{"ply":13,"evaluation":13.03},{"ply":14,"evaluation":14.06},{"ply":15,"evaluation":14.0},{"ply":16,"evaluation":18.0},{"ply":17,"evaluation":7.19},{"ply":18,"evaluation":6.0},{"ply":19,"evaluation":12.0}]');
INSERT INTO "evaluations" ("game_id","payload") VALUES('pMApnuzDr7Bw','[{"ply":0,"evaluation":2.38},{"ply":1,"evaluation":3.88},{"ply":2,"evaluation":1.75},{"ply":3,"evaluation":-3.5},{"ply":4,"evaluation":-4.25},{"ply":5,"evaluation":-19.03},{"ply":6,"evaluation":-19.28},{"ply":7,"evaluation":-20.84}]');
CREATE TABLE events (
	game_id VARCHAR(12) NOT NULL, 
	version BIGINT NOT NULL, 
	at_ms BIGINT NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	payload TEXT NOT NULL, 
	side SMALLINT, 
	command VARCHAR(40), 
	PRIMARY KEY (game_id, version), 
	FOREIGN KEY(game_id) REFERENCES games (id)
);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',1,1795422608080,'begin','{}',NULL,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',2,1795422608102,'move','{"hole":5}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',3,1795422608136,'move','{"hole":5}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',4,1795422608160,'move','{"hole":5}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',5,1795422608170,'move','{"hole":2}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',6,1795422608196,'move','{"hole":3}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',7,1795422608202,'move','{"hole":5}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',8,1795422608226,'move','{"hole":5}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',9,1795422608234,'move','{"hole":5}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',10,1795422608255,'move','{"hole":4}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',11,1795422608262,'move','{"hole":2}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',12,1795422608285,'move','{"hole":5}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',13,1795422608288,'move','{"hole":2}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',14,1795422608318,'move','{"hole":3}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',15,1795422608328,'move','{"hole":3}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',16,1795422608366,'move','{"hole":4}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',17,1795422608378,'move','{"hole":4}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',18,1795422608410,'move','{"hole":5}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',19,1795422608418,'move','{"hole":4}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('gMjIjiNCZtWS',20,1795422608452,'move','{"hole":2}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('pMApnuzDr7Bw',1,1795422608470,'begin','{}',NULL,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('pMApnuzDr7Bw',2,1795422608487,'move','{"hole":2}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('pMApnuzDr7Bw',3,1795422608507,'move','{"hole":9}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('pMApnuzDr7Bw',4,1795422608511,'move','{"hole":9}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('pMApnuzDr7Bw',5,1795422608545,'move','{"hole":8}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('pMApnuzDr7Bw',6,1795422608549,'move','{"hole":5}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('pMApnuzDr7Bw',7,1795422608582,'move','{"hole":9}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('pMApnuzDr7Bw',8,1795422608591,'move','{"hole":4}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('pMApnuzDr7Bw',9,1795422608621,'resign','{"side":1}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('pMApnuzDr7Bw',10,1795422608628,'rematch','{"game":"GxbvUTM2dlkH"}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('GxbvUTM2dlkH',1,1795422608628,'begin','{}',NULL,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('GxbvUTM2dlkH',2,1795422608641,'move','{"hole":9}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('GxbvUTM2dlkH',3,1795422608646,'move','{"hole":9}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('XuNishRqAf5E',1,1795422608682,'begin','{}',NULL,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('XuNishRqAf5E',2,1795422608694,'move','{"hole":6}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('XuNishRqAf5E',3,1795422608711,'move','{"hole":4}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('XuNishRqAf5E',4,1795422608718,'move','{"hole":6}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('XuNishRqAf5E',5,1795422608737,'move','{"hole":6}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('XuNishRqAf5E',6,1795422608754,'move','{"hole":5}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('XuNishRqAf5E',7,1795422608765,'move','{"hole":2}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('XuNishRqAf5E',8,1795422608798,'takeback','{"plies":3}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('XuNishRqAf5E',9,1795422608811,'move','{"hole":6}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('XuNishRqAf5E',10,1795422608823,'move','{"hole":5}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('XuNishRqAf5E',11,1795422608829,'move','{"hole":6}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('XuNishRqAf5E',12,1795422608843,'move','{"hole":2}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('1dmxTlJ8H8vg',1,1795422608868,'begin','{}',NULL,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('1dmxTlJ8H8vg',2,1795422608882,'move','{"hole":6}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('1dmxTlJ8H8vg',3,1795422608907,'move','{"hole":5}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('1dmxTlJ8H8vg',4,1795422608923,'move','{"hole":6}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('1dmxTlJ8H8vg',5,1795422608934,'move','{"hole":4}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('NwwzZaPmbTHs',1,1795422608990,'join','{"side":0}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('NwwzZaPmbTHs',2,1795422608996,'join','{"side":1}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('NwwzZaPmbTHs',3,1795422608996,'begin','{}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('NwwzZaPmbTHs',4,1795422609019,'move','{"hole":1}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('NwwzZaPmbTHs',5,1795422609026,'move','{"hole":1}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('NwwzZaPmbTHs',6,1795422609032,'move','{"hole":1}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('NwwzZaPmbTHs',7,1795422609037,'move','{"hole":1}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('NwwzZaPmbTHs',8,1795422609042,'move','{"hole":2}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('NwwzZaPmbTHs',9,1795422609046,'offer-draw','{"side":1}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('NwwzZaPmbTHs',10,1795422609050,'accept-draw','{"side":0}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('o58FeWIDC9Pf',1,1795422609062,'begin','{}',NULL,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('o58FeWIDC9Pf',2,1795422609069,'join','{"side":0}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('o58FeWIDC9Pf',3,1795422609078,'join','{"side":1}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('o58FeWIDC9Pf',4,1795422609078,'move','{"hole":1}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('o58FeWIDC9Pf',5,1795422609094,'move','{"hole":1}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('o58FeWIDC9Pf',6,1795422609114,'move','{"hole":1}',0,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('o58FeWIDC9Pf',7,1795422609126,'move','{"hole":1}',1,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('GxbvUTM2dlkH',4,1795422610386,'outage','{"ms":1013}',NULL,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('XuNishRqAf5E',13,1795422610395,'outage','{"ms":1013}',NULL,NULL);
INSERT INTO "events" ("game_id","version","at_ms","kind","payload","side","command") VALUES('o58FeWIDC9Pf',8,1795422610410,'outage','{"ms":1013}',NULL,NULL);
CREATE TABLE followed_events (
	id VARCHAR(8) NOT NULL, 
	maker VARCHAR(24) NOT NULL, 
	address TEXT NOT NULL, 
	made_ms BIGINT NOT NULL, 
	name TEXT NOT NULL, 
	snapshot TEXT NOT NULL, 
	version VARCHAR(64) NOT NULL, 
	validator TEXT NOT NULL, 
	changed_ms BIGINT NOT NULL, 
	confirmed_ms BIGINT NOT NULL, 
	asked_ms BIGINT NOT NULL, 
	problem VARCHAR(40) NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "followed_events" ("id","maker","address","made_ms","name","snapshot","version","validator","changed_ms","confirmed_ms","asked_ms","problem") VALUES('fxbw7k3m','Mcdlpy1f0ebc4BooRq_PUg','https://events.invalid/events/mzyeb6z4',1795459300000,'Cup of another site','{"format":"korgool public event 1","changed":"2026-11-23T18:39:55Z","settings":{"name":"Cup of another site","rounds":3,"system":"round-robin"},"players":[{"id":1,"number":1,"entry":{"family":"Асанов","given":"Бек","rating":2100}},{"id":2,"number":3,"entry":{"family":"Ким","given":"Виктор","rating":2000}},{"id":3,"number":4,"entry":{"family":"Smith","given":"Jane","rating":1900}},{"id":4,"number":2,"entry":{"family":"Yılmaz","given":"Ali","rating":1800}}],"rounds":[{"number":1,"games":[{"board":1,"white":1,"black":3,"result":{"white":2,"black":0,"stores":[82,60]}},{"board":2,"white":4,"black":2,"result":{"white":1,"black":1,"stores":[81,81]}}]}],"seeded":true}','f3e4f70dcffb50b0ef157ea907ce3e84c01f318406c4e64a3dec20a6ba1ac1e3','W/"mzyeb6z4-9"',1795459300000,1795459300000,1795459300000,'');
CREATE TABLE games (
	id VARCHAR(12) NOT NULL, 
	game VARCHAR(20) NOT NULL, 
	clock VARCHAR(40) NOT NULL, 
	started_ms BIGINT NOT NULL, 
	start TEXT, 
	version BIGINT NOT NULL, 
	to_move SMALLINT NOT NULL, 
	termination VARCHAR(20), 
	result_text VARCHAR(30), 
	rematch VARCHAR(12), 
	rules TEXT, 
	conduct VARCHAR(12) DEFAULT 'friendly' NOT NULL, 
	rated SMALLINT DEFAULT '0' NOT NULL, 
	delay_s INTEGER DEFAULT '0' NOT NULL, 
	plies INTEGER DEFAULT '0' NOT NULL, 
	due_ms BIGINT, 
	ended_ms BIGINT, swept_ms BIGINT, thinks_ms BIGINT, people SMALLINT DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "games" ("id","game","clock","started_ms","start","version","to_move","termination","result_text","rematch","rules","conduct","rated","delay_s","plies","due_ms","ended_ms","swept_ms","thinks_ms","people") VALUES('gMjIjiNCZtWS','bestemshe','10+5',1795422608080,NULL,20,1,'majority','1 (26) - 0 (14)',NULL,NULL,'friendly',0,0,19,NULL,1795422608452,NULL,NULL,0);
INSERT INTO "games" ("id","game","clock","started_ms","start","version","to_move","termination","result_text","rematch","rules","conduct","rated","delay_s","plies","due_ms","ended_ms","swept_ms","thinks_ms","people") VALUES('pMApnuzDr7Bw','toguz','30+10',1795422608470,NULL,10,1,'resignation','1 (24) - 0 (24)','GxbvUTM2dlkH',NULL,'friendly',0,0,7,NULL,1795422608621,NULL,NULL,0);
INSERT INTO "games" ("id","game","clock","started_ms","start","version","to_move","termination","result_text","rematch","rules","conduct","rated","delay_s","plies","due_ms","ended_ms","swept_ms","thinks_ms","people") VALUES('GxbvUTM2dlkH','toguz','30+10',1795422608628,NULL,4,0,NULL,NULL,NULL,NULL,'friendly',0,0,2,1795471276253,NULL,NULL,NULL,0);
INSERT INTO "games" ("id","game","clock","started_ms","start","version","to_move","termination","result_text","rematch","rules","conduct","rated","delay_s","plies","due_ms","ended_ms","swept_ms","thinks_ms","people") VALUES('XuNishRqAf5E','mangala','10+5',1795422608682,NULL,13,0,NULL,NULL,NULL,NULL,'friendly',0,0,7,1795470076407,NULL,NULL,NULL,0);
INSERT INTO "games" ("id","game","clock","started_ms","start","version","to_move","termination","result_text","rematch","rules","conduct","rated","delay_s","plies","due_ms","ended_ms","swept_ms","thinks_ms","people") VALUES('1dmxTlJ8H8vg','castle','none',1795422608868,NULL,5,0,NULL,NULL,NULL,NULL,'friendly',0,0,4,NULL,NULL,NULL,NULL,0);
INSERT INTO "games" ("id","game","clock","started_ms","start","version","to_move","termination","result_text","rematch","rules","conduct","rated","delay_s","plies","due_ms","ended_ms","swept_ms","thinks_ms","people") VALUES('NwwzZaPmbTHs','toguz','10+5',1795422608975,NULL,10,1,'agreement','0.5 (0) - 0.5 (0)',NULL,NULL,'friendly',0,0,5,NULL,1795422609050,NULL,NULL,1);
INSERT INTO "games" ("id","game","clock","started_ms","start","version","to_move","termination","result_text","rematch","rules","conduct","rated","delay_s","plies","due_ms","ended_ms","swept_ms","thinks_ms","people") VALUES('o58FeWIDC9Pf','toguz','3d',1795422609062,NULL,8,0,NULL,NULL,NULL,NULL,'friendly',0,0,4,1795728666746,NULL,NULL,NULL,1);
CREATE TABLE guesses (
	subject VARCHAR(64) NOT NULL, 
	failed INTEGER NOT NULL, 
	began_ms BIGINT NOT NULL, 
	PRIMARY KEY (subject)
);
CREATE TABLE mail_addresses (
	who VARCHAR(22) NOT NULL, 
	address VARCHAR(254) NOT NULL, 
	language VARCHAR(2) NOT NULL, 
	token VARCHAR(43) NOT NULL, 
	asked_ms BIGINT NOT NULL, 
	confirmed_ms BIGINT, zone VARCHAR(40) DEFAULT '' NOT NULL, 
	PRIMARY KEY (who), 
	UNIQUE (token)
);
CREATE TABLE marks (
	game_id VARCHAR(12) NOT NULL, 
	account VARCHAR(24) NOT NULL, 
	way VARCHAR(8) NOT NULL, 
	at_ms BIGINT NOT NULL, 
	PRIMARY KEY (game_id, account), 
	FOREIGN KEY(game_id) REFERENCES games (id)
);
CREATE TABLE mistakes (
	account VARCHAR(24) NOT NULL, 
	id VARCHAR(16) NOT NULL, 
	data TEXT NOT NULL, 
	lost DOUBLE NOT NULL, 
	memory TEXT, 
	due_ms BIGINT NOT NULL, 
	answers TEXT NOT NULL, 
	dropped SMALLINT NOT NULL, 
	switched_ms BIGINT NOT NULL, 
	changed BIGINT NOT NULL, 
	PRIMARY KEY (account, id)
);
CREATE TABLE outages (
	began_ms BIGINT NOT NULL, 
	ended_ms BIGINT NOT NULL, 
	PRIMARY KEY (began_ms)
);
INSERT INTO "outages" ("began_ms","ended_ms") VALUES(1795422609314,1795422610327);
INSERT INTO "outages" ("began_ms","ended_ms") VALUES(1795422610410,1795445343519);
INSERT INTO "outages" ("began_ms","ended_ms") VALUES(1795445343681,1795459193918);
INSERT INTO "outages" ("began_ms","ended_ms") VALUES(1795459195561,1795469468822);
CREATE TABLE owner (
	id SMALLINT NOT NULL, 
	epoch BIGINT NOT NULL, 
	clean SMALLINT NOT NULL, 
	beat_ms BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "owner" ("id","epoch","clean","beat_ms") VALUES(1,5,0,1795469468883);
CREATE TABLE passkeys (
	digest VARCHAR(64) NOT NULL, 
	account VARCHAR(24) NOT NULL, 
	credential TEXT NOT NULL, 
	public_key TEXT NOT NULL, 
	uses BIGINT NOT NULL, 
	label VARCHAR(60) NOT NULL, 
	made_ms BIGINT NOT NULL, 
	used_ms BIGINT, 
	PRIMARY KEY (digest), 
	FOREIGN KEY(account) REFERENCES accounts (id)
);
CREATE TABLE processes (
	id VARCHAR(12) NOT NULL, 
	beat_ms BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE push_subscriptions (
	id VARCHAR(64) NOT NULL, 
	who VARCHAR(22) NOT NULL, 
	endpoint TEXT NOT NULL, 
	p256dh VARCHAR(100) NOT NULL, 
	auth VARCHAR(30) NOT NULL, 
	language VARCHAR(2) NOT NULL, 
	made_ms BIGINT NOT NULL, 
	failures SMALLINT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE puzzle_answers (
	account VARCHAR(24) NOT NULL, 
	puzzle VARCHAR(40) NOT NULL, 
	game VARCHAR(20) NOT NULL, 
	at_ms BIGINT NOT NULL, 
	marks VARCHAR(8) NOT NULL, 
	number INTEGER, 
	rating_before DOUBLE, 
	rating_after DOUBLE, 
	PRIMARY KEY (account, puzzle), 
	FOREIGN KEY(account) REFERENCES accounts (id)
);
CREATE TABLE puzzle_days (
	account VARCHAR(24) NOT NULL, 
	day VARCHAR(10) NOT NULL, 
	game VARCHAR(20) NOT NULL, 
	marks VARCHAR(8) NOT NULL, 
	PRIMARY KEY (account, day, game), 
	FOREIGN KEY(account) REFERENCES accounts (id)
);
CREATE TABLE puzzle_ratings (
	puzzle VARCHAR(40) NOT NULL, 
	game VARCHAR(20) NOT NULL, 
	rating DOUBLE NOT NULL, 
	deviation DOUBLE NOT NULL, 
	volatility DOUBLE NOT NULL, 
	answers INTEGER NOT NULL, 
	PRIMARY KEY (puzzle)
);
CREATE TABLE puzzle_standings (
	account VARCHAR(24) NOT NULL, 
	game VARCHAR(20) NOT NULL, 
	rating DOUBLE NOT NULL, 
	deviation DOUBLE NOT NULL, 
	volatility DOUBLE NOT NULL, 
	answers INTEGER NOT NULL, 
	best_run INTEGER NOT NULL, 
	PRIMARY KEY (account, game), 
	FOREIGN KEY(account) REFERENCES accounts (id)
);
CREATE TABLE rated_games (
	seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	game_id VARCHAR(12) NOT NULL, 
	game VARCHAR(20) NOT NULL, 
	speed VARCHAR(6) NOT NULL, 
	at_ms BIGINT NOT NULL, 
	plies INTEGER NOT NULL, 
	white VARCHAR(24) NOT NULL, 
	black VARCHAR(24) NOT NULL, 
	white_half_points SMALLINT NOT NULL, 
	black_half_points SMALLINT NOT NULL, 
	white_before DOUBLE NOT NULL, 
	white_deviation_before DOUBLE NOT NULL, 
	black_before DOUBLE NOT NULL, 
	black_deviation_before DOUBLE NOT NULL, 
	white_after DOUBLE NOT NULL, 
	white_deviation_after DOUBLE NOT NULL, 
	black_after DOUBLE NOT NULL, 
	black_deviation_after DOUBLE NOT NULL, 
	UNIQUE (game_id), 
	FOREIGN KEY(game_id) REFERENCES games (id)
);
CREATE TABLE recovery_codes (
	digest VARCHAR(64) NOT NULL, 
	account VARCHAR(24) NOT NULL, 
	made_ms BIGINT NOT NULL, 
	PRIMARY KEY (digest), 
	FOREIGN KEY(account) REFERENCES accounts (id)
);
CREATE TABLE reports (
	id VARCHAR(16) NOT NULL, 
	reporter VARCHAR(24) NOT NULL, 
	about VARCHAR(24) NOT NULL, 
	game_id VARCHAR(12), 
	words TEXT NOT NULL, 
	record TEXT, 
	at_ms BIGINT NOT NULL, 
	closed_ms BIGINT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(game_id) REFERENCES games (id)
);
CREATE TABLE seat_links (
	digest VARCHAR(64) NOT NULL, 
	who VARCHAR(22) NOT NULL, 
	game_id VARCHAR(12) NOT NULL, 
	expires_ms BIGINT NOT NULL, 
	PRIMARY KEY (digest)
);
CREATE TABLE seats (
	game_id VARCHAR(12) NOT NULL, 
	side SMALLINT NOT NULL, 
	kind VARCHAR(6) NOT NULL, 
	who VARCHAR(24) NOT NULL, 
	strength SMALLINT NOT NULL, 
	sign_ms BIGINT, started_ms BIGINT DEFAULT '0' NOT NULL, running SMALLINT DEFAULT '0' NOT NULL, 
	PRIMARY KEY (game_id, side), 
	FOREIGN KEY(game_id) REFERENCES games (id)
);
INSERT INTO "seats" ("game_id","side","kind","who","strength","sign_ms","started_ms","running") VALUES('gMjIjiNCZtWS',0,'person','lqB0Ft8InoFwIXOoSOAtTA',0,NULL,1795422608080,0);
INSERT INTO "seats" ("game_id","side","kind","who","strength","sign_ms","started_ms","running") VALUES('gMjIjiNCZtWS',1,'engine','',1,NULL,1795422608080,0);
INSERT INTO "seats" ("game_id","side","kind","who","strength","sign_ms","started_ms","running") VALUES('pMApnuzDr7Bw',0,'engine','',1,NULL,1795422608470,0);
INSERT INTO "seats" ("game_id","side","kind","who","strength","sign_ms","started_ms","running") VALUES('pMApnuzDr7Bw',1,'person','lqB0Ft8InoFwIXOoSOAtTA',0,NULL,1795422608470,0);
INSERT INTO "seats" ("game_id","side","kind","who","strength","sign_ms","started_ms","running") VALUES('GxbvUTM2dlkH',0,'person','lqB0Ft8InoFwIXOoSOAtTA',0,NULL,1795422608628,1);
INSERT INTO "seats" ("game_id","side","kind","who","strength","sign_ms","started_ms","running") VALUES('GxbvUTM2dlkH',1,'engine','',1,NULL,1795422608628,1);
INSERT INTO "seats" ("game_id","side","kind","who","strength","sign_ms","started_ms","running") VALUES('XuNishRqAf5E',0,'person','u77oo9vpfjmdKoLMZNvw7w',0,NULL,1795422608682,1);
INSERT INTO "seats" ("game_id","side","kind","who","strength","sign_ms","started_ms","running") VALUES('XuNishRqAf5E',1,'engine','',2,NULL,1795422608682,1);
INSERT INTO "seats" ("game_id","side","kind","who","strength","sign_ms","started_ms","running") VALUES('1dmxTlJ8H8vg',0,'person','u77oo9vpfjmdKoLMZNvw7w',0,NULL,1795422608868,1);
INSERT INTO "seats" ("game_id","side","kind","who","strength","sign_ms","started_ms","running") VALUES('1dmxTlJ8H8vg',1,'engine','',1,NULL,1795422608868,1);
INSERT INTO "seats" ("game_id","side","kind","who","strength","sign_ms","started_ms","running") VALUES('NwwzZaPmbTHs',0,'person','lqB0Ft8InoFwIXOoSOAtTA',0,NULL,1795422608975,0);
INSERT INTO "seats" ("game_id","side","kind","who","strength","sign_ms","started_ms","running") VALUES('NwwzZaPmbTHs',1,'person','u77oo9vpfjmdKoLMZNvw7w',0,NULL,1795422608975,0);
INSERT INTO "seats" ("game_id","side","kind","who","strength","sign_ms","started_ms","running") VALUES('o58FeWIDC9Pf',0,'person','lqB0Ft8InoFwIXOoSOAtTA',0,NULL,1795422609062,1);
INSERT INTO "seats" ("game_id","side","kind","who","strength","sign_ms","started_ms","running") VALUES('o58FeWIDC9Pf',1,'person','u77oo9vpfjmdKoLMZNvw7w',0,NULL,1795422609062,1);
CREATE TABLE secrets (
	name VARCHAR(20) NOT NULL, 
	value VARCHAR(64) NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "secrets" ("name","value") VALUES('cookies','4e53b89ee73c1f0262b409eeb11db309cb97d89ec8e2c9ec73022bd58ee2f9b1');
CREATE TABLE sessions (
	id VARCHAR(16) NOT NULL, 
	account VARCHAR(24) NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	begun_ms BIGINT NOT NULL, 
	seen_ms BIGINT NOT NULL, 
	proved_ms BIGINT NOT NULL, 
	device VARCHAR(100) NOT NULL, 
	ended_ms BIGINT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(account) REFERENCES accounts (id), 
	UNIQUE (digest)
);
INSERT INTO "sessions" ("id","account","digest","begun_ms","seen_ms","proved_ms","device","ended_ms") VALUES('JMOr-KGHf4y_','Mcdlpy1f0ebc4BooRq_PUg','dceb59b71c4118ff541248c4ca8f7725bcac7107ddc922f52e845e0488896bed',1795459194939,1795459194939,1795459194939,'python-httpx/0.28.1',NULL);
CREATE TABLE sign_ins (
	id VARCHAR(16) NOT NULL, 
	account VARCHAR(24) NOT NULL, 
	at_ms BIGINT NOT NULL, 
	way VARCHAR(8) NOT NULL, 
	device VARCHAR(100) NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(account) REFERENCES accounts (id)
);
INSERT INTO "sign_ins" ("id","account","at_ms","way","device") VALUES('pU5uXv9tdEXW','Mcdlpy1f0ebc4BooRq_PUg',1795459194939,'password','python-httpx/0.28.1');
CREATE TABLE standings (
	account VARCHAR(24) NOT NULL, 
	game VARCHAR(20) NOT NULL, 
	speed VARCHAR(6) NOT NULL, 
	rating DOUBLE NOT NULL, 
	deviation DOUBLE NOT NULL, 
	volatility DOUBLE NOT NULL, 
	games INTEGER NOT NULL, 
	at_ms BIGINT NOT NULL, 
	seq BIGINT NOT NULL, 
	fixed SMALLINT NOT NULL, 
	PRIMARY KEY (account, game, speed)
);
CREATE TABLE studies (
	id VARCHAR(16) NOT NULL, 
	maker VARCHAR(24) NOT NULL, 
	title TEXT NOT NULL, 
	author TEXT NOT NULL, 
	language VARCHAR(3) NOT NULL, 
	version INTEGER NOT NULL, 
	last_number INTEGER NOT NULL, 
	made_ms BIGINT NOT NULL, 
	changed_ms BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE study_chapters (
	study VARCHAR(16) NOT NULL, 
	number INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	title TEXT NOT NULL, 
	concealed SMALLINT NOT NULL, 
	record TEXT NOT NULL, 
	length INTEGER NOT NULL, 
	PRIMARY KEY (study, number), 
	FOREIGN KEY(study) REFERENCES studies (id)
);
CREATE TABLE tokens (
	id VARCHAR(16) NOT NULL, 
	account VARCHAR(24) NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	scopes VARCHAR(60) NOT NULL, 
	label VARCHAR(60) NOT NULL, 
	made_ms BIGINT NOT NULL, 
	expires_ms BIGINT NOT NULL, 
	ended_ms BIGINT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(account) REFERENCES accounts (id), 
	UNIQUE (digest)
);
CREATE TABLE trusted (
	child VARCHAR(24) NOT NULL, 
	who VARCHAR(24) NOT NULL, 
	at_ms BIGINT NOT NULL, 
	PRIMARY KEY (child, who), 
	FOREIGN KEY(child) REFERENCES accounts (id), 
	FOREIGN KEY(who) REFERENCES accounts (id)
);
CREATE TABLE vacations (
	who VARCHAR(24) NOT NULL, 
	began_ms BIGINT NOT NULL, 
	until_ms BIGINT NOT NULL, 
	PRIMARY KEY (who, began_ms)
);
CREATE INDEX games_by_due ON games (due_ms);
CREATE UNIQUE INDEX events_by_command ON events (game_id, side, command) WHERE command IS NOT NULL;
CREATE INDEX challenges_by_maker ON challenges (maker, state);
CREATE INDEX challenges_by_way ON challenges (way, state, expires_ms);
CREATE INDEX challenges_by_expiry ON challenges (expires_ms);
CREATE INDEX challenges_by_result ON challenges (result);
CREATE INDEX push_subscriptions_by_who ON push_subscriptions (who, made_ms);
CREATE INDEX trusted_by_who ON trusted (who);
CREATE INDEX sessions_by_account ON sessions (account, seen_ms);
CREATE INDEX sessions_by_use ON sessions (seen_ms);
CREATE INDEX tokens_by_account ON tokens (account);
CREATE INDEX tokens_by_expiry ON tokens (expires_ms);
CREATE INDEX recovery_codes_by_account ON recovery_codes (account);
CREATE INDEX guesses_by_age ON guesses (began_ms);
CREATE INDEX passkeys_by_account ON passkeys (account);
CREATE INDEX ceremonies_by_expiry ON ceremonies (expires_ms);
CREATE INDEX blocks_by_blocked ON blocks (blocked);
CREATE INDEX reports_by_time ON reports (at_ms);
CREATE INDEX rated_games_by_white ON rated_games (white, seq);
CREATE INDEX rated_games_by_black ON rated_games (black, seq);
CREATE INDEX marks_by_account ON marks (account, at_ms);
CREATE INDEX marks_by_time ON marks (at_ms);
CREATE INDEX attendance_by_process ON attendance (process);
CREATE INDEX competitions_by_change ON competitions (public, changed_ms);
CREATE INDEX competition_log_by_command ON competition_log (competition, who, command);
CREATE INDEX competition_roles_by_competition ON competition_roles (competition);
CREATE INDEX competition_roles_by_account ON competition_roles (account);
CREATE INDEX sign_ins_by_account ON sign_ins (account, at_ms);
CREATE INDEX sign_ins_by_time ON sign_ins (at_ms);
CREATE INDEX reports_by_reporter ON reports (reporter, game_id);
CREATE INDEX reports_by_closing ON reports (closed_ms);
CREATE INDEX followed_events_by_change ON followed_events (changed_ms);
CREATE INDEX followed_events_by_maker ON followed_events (maker);
CREATE INDEX seats_by_person ON seats (who, started_ms, game_id);
CREATE INDEX challenges_by_addressee ON challenges (addressee);
CREATE INDEX challenges_by_taker ON challenges ("by");
CREATE INDEX outages_by_end ON outages (ended_ms);
CREATE INDEX consents_by_guardian ON consents (guardian);
CREATE INDEX reports_by_subject ON reports (about);
CREATE INDEX competitions_by_maker ON competitions (maker);
CREATE INDEX games_watched ON games (started_ms) WHERE termination IS NULL AND people = 1;
CREATE INDEX games_finished ON games (ended_ms) WHERE result_text IS NOT NULL AND people = 1;
CREATE INDEX games_shown_later ON games (ended_ms) WHERE delay_s > 0;
CREATE INDEX seats_running ON seats (who) WHERE running = 1;
CREATE INDEX accounts_by_lock ON accounts (locked_ms) WHERE locked_ms IS NOT NULL;
CREATE INDEX accounts_by_owner ON accounts (owner) WHERE owner IS NOT NULL;
CREATE INDEX accounts_by_guardian ON accounts (guardian) WHERE guardian IS NOT NULL;
CREATE INDEX sessions_by_end ON sessions (ended_ms) WHERE ended_ms IS NOT NULL;
CREATE INDEX tokens_by_end ON tokens (ended_ms) WHERE ended_ms IS NOT NULL;
CREATE INDEX standings_settled ON standings (game, speed, rating) WHERE deviation <= 110 OR fixed = 1;
CREATE INDEX seat_links_by_who ON seat_links (who, expires_ms);
CREATE INDEX seat_links_by_expiry ON seat_links (expires_ms);
CREATE INDEX mistakes_by_change ON mistakes (account, changed);
CREATE INDEX classes_by_trainer ON classes (trainer);
CREATE INDEX classes_by_end ON classes (ends_ms);
CREATE UNIQUE INDEX class_members_by_look ON class_members (class_id, look);
CREATE UNIQUE INDEX class_members_by_person ON class_members (class_id, who);
CREATE INDEX class_members_by_who ON class_members (who);
CREATE INDEX class_results_by_child ON class_results (class_id, member, task);
CREATE INDEX studies_by_maker ON studies (maker, changed_ms);
CREATE INDEX puzzle_answers_by_game ON puzzle_answers (account, game, number);
CREATE INDEX puzzle_ratings_by_game ON puzzle_ratings (game);
CREATE INDEX competition_stand_bys_by_competition ON competition_stand_bys (competition);
CREATE TABLE competition_boards (
	competition VARCHAR(8) NOT NULL, 
	part INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	board INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	white INTEGER NOT NULL, 
	black INTEGER NOT NULL, 
	at_ms BIGINT NOT NULL, 
	line TEXT NOT NULL, 
	PRIMARY KEY (competition, part, round, board, number), 
	FOREIGN KEY(competition) REFERENCES competitions (id)
);
CREATE INDEX competition_boards_by_time ON competition_boards (at_ms);
DELETE FROM "sqlite_sequence";
CREATE TABLE competition_applications (
	id VARCHAR(16) NOT NULL, 
	competition VARCHAR(8) NOT NULL, 
	link VARCHAR(64) NOT NULL, 
	place INTEGER NOT NULL, 
	made_ms BIGINT NOT NULL, 
	state VARCHAR(10) NOT NULL, 
	data TEXT NOT NULL, 
	paper TEXT, 
	question TEXT NOT NULL, 
	answer TEXT NOT NULL, 
	player INTEGER, 
	PRIMARY KEY (id), 
	CONSTRAINT competition_applications_once UNIQUE (competition, link, place), 
	FOREIGN KEY(competition) REFERENCES competitions (id)
);
CREATE TABLE competition_entry_windows (
	competition VARCHAR(8) NOT NULL, 
	group_id INTEGER NOT NULL, 
	opens_ms BIGINT NOT NULL, 
	closes_ms BIGINT NOT NULL, 
	most INTEGER NOT NULL, 
	PRIMARY KEY (competition, group_id), 
	FOREIGN KEY(competition) REFERENCES competitions (id)
);
CREATE TABLE competition_sheet_photos (
	competition VARCHAR(8) NOT NULL, 
	part INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	board INTEGER NOT NULL, 
	side VARCHAR(5) NOT NULL, 
	player INTEGER NOT NULL, 
	taken_ms BIGINT NOT NULL, 
	picture TEXT NOT NULL, 
	PRIMARY KEY (competition, part, round, board, side), 
	FOREIGN KEY(competition) REFERENCES competitions (id)
);
CREATE INDEX competition_sheet_photos_by_time ON competition_sheet_photos (taken_ms);
COMMIT;
